import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findSlaConfigByName, type SlaConfig, slaConfigTable } from './queries.ts'
import { slaConfigWire } from './schema.ts'

const events = [
  'sla_config.created',
  'sla_config.updated',
  'sla_config.reordered',
  'sla_config.deleted',
] as const

export const slaConfigs: Entity<SlaConfig, (typeof events)[number]> = {
  type: 'sla_config',
  prefix: declareIds('sla_config', 'sla'),
  events,
  table: slaConfigTable,
  wire: slaConfigWire,
  unique: { name: ({ name }, db, tenantId) => findSlaConfigByName(db, tenantId, name) },
}
