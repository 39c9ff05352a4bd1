import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type SlaConfig, slaConfigTable } from './queries.ts'
import { slaConfigWire } from './schema.ts'

export const slaConfigs: Entity<SlaConfig> = {
  type: 'sla_config',
  table: slaConfigTable,
  wire: slaConfigWire,
}
