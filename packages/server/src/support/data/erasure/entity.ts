import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type ErasureRow, erasureTable } from './queries.ts'
import { erasureWire } from './schema.ts'

/** Certificates have no events: that of the end user tells of the erasure. */
export const erasures: Entity<ErasureRow, never> = {
  type: 'erasure',
  prefix: declareIds('erasure', 'era'),
  events: [],
  table: erasureTable,
  wire: erasureWire,
}
