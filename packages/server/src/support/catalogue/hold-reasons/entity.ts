import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findHoldReasonByName, type HoldReason, holdReasonTable } from './queries.ts'
import { holdReasonWire } from './schema.ts'

const events = ['hold_reason.created', 'hold_reason.updated', 'hold_reason.deleted'] as const

export const holdReasons: Entity<HoldReason, (typeof events)[number]> = {
  type: 'hold_reason',
  prefix: declareIds('hold_reason', 'hold'),
  events,
  table: holdReasonTable,
  wire: holdReasonWire,
  unique: { name: ({ name }, db, tenantId) => findHoldReasonByName(db, tenantId, name) },
}
