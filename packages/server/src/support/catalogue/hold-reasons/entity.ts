import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findHoldReasonByName, type HoldReason, holdReasonTable } from './queries.ts'
import { holdReasonWire } from './schema.ts'

export const holdReasons: Entity<HoldReason> = {
  type: 'hold_reason',
  prefix: declareIds('hold_reason', 'hold'),
  table: holdReasonTable,
  wire: holdReasonWire,
  unique: { name: ({ name }, db, tenantId) => findHoldReasonByName(db, tenantId, name) },
}
