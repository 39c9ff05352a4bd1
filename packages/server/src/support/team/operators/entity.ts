import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Operator, operatorTable } from './queries.ts'
import { operatorWire } from './schema.ts'

/** The jobs of operators (status.ts). */
export const jobs = { statusUntil: 'operator_status_until', heartbeat: 'operator_heartbeat' } as const

export const operators: Entity<Operator> = {
  type: 'operator',
  table: operatorTable,
  wire: operatorWire,
  unshown: ['status_reason', 'status_until', 'status_then', 'offline_by_hand'],
  precedence: ['operator.updated', 'operator.status_changed'],
}
