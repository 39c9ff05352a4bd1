import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findViewByName, foundAmong, type View, viewTable } from './queries.ts'
import { viewWire } from './schema.ts'

const events = ['view.created', 'view.updated', 'view.reordered', 'view.deleted'] as const

export const views: Entity<View, (typeof events)[number]> = {
  type: 'view',
  prefix: declareIds('view', 'view'),
  events,
  table: viewTable,
  wire: viewWire,
  isVisible: async (view, viewer) => (await foundAmong([view], viewer)).length === 1,
  unique: { name: ({ name }, db, tenantId) => findViewByName(db, tenantId, name) },
  precedence: ['view.reordered', 'view.updated'],
}
