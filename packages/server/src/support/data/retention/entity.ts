import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findPolicyByName, type RetentionPolicy, retentionTable } from './queries.ts'
import { retentionWire } from './schema.ts'

const events = ['retention_policy.created', 'retention_policy.updated', 'retention_policy.deleted'] as const

export const retentionPolicies: Entity<RetentionPolicy, (typeof events)[number]> = {
  type: 'retention_policy',
  prefix: declareIds('retention_policy', 'ret'),
  events,
  table: retentionTable,
  wire: retentionWire,
  unique: { name: ({ name }, db, tenantId) => findPolicyByName(db, tenantId, name) },
}
