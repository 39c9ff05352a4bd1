import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type HoldReason, holdReasonTable } from './queries.ts'
import { holdReasonWire } from './schema.ts'

export const holdReasons: Entity<HoldReason> = {
  type: 'hold_reason',
  table: holdReasonTable,
  wire: holdReasonWire,
}
