import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findOperatorByEmail, findOperatorByExternalId, type Operator, operatorTable } from './queries.ts'
import { operatorWire } from './schema.ts'

/** The jobs of operators (status.ts). */
export const jobs = { statusUntil: 'operator_status_until', heartbeat: 'operator_heartbeat' } as const

const events = [
  'operator.created',
  'operator.updated',
  'operator.status_changed',
  'operator.deleted',
] as const

export const operators: Entity<Operator, (typeof events)[number]> = {
  type: 'operator',
  prefix: declareIds('operator', 'op'),
  events,
  table: operatorTable,
  wire: operatorWire,
  unique: {
    email: ({ email }, db, tenantId) => findOperatorByEmail(db, tenantId, email),
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findOperatorByExternalId(db, tenantId, id),
  },
  unshown: ['status_reason', 'status_until', 'status_then', 'offline_by_hand'],
  precedence: ['operator.updated', 'operator.status_changed'],
}
