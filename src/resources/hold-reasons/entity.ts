import type { Entity } from '../../db/change.ts'
import { type HoldReason, holdReasonTable } from './queries.ts'
import { holdReasonWire } from './schema.ts'

export const holdReasons: Entity<HoldReason> = {
  type: 'hold_reason',
  table: holdReasonTable,
  wire: holdReasonWire,
}
