import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findSlaConfigByName, type SlaConfig, slaConfigTable } from './queries.ts'
import { slaConfigWire } from './schema.ts'

export const slaConfigs: Entity<SlaConfig> = {
  type: 'sla_config',
  prefix: declareIds('sla_config', 'sla'),
  table: slaConfigTable,
  wire: slaConfigWire,
  unique: { name: ({ name }, db, tenantId) => findSlaConfigByName(db, tenantId, name) },
}
