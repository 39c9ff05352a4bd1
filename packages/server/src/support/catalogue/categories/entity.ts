import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Category, categoryTable, findCategoryByName } from './queries.ts'
import { categoryWire } from './schema.ts'

const events = ['category.created', 'category.updated', 'category.deleted'] as const

export const categories: Entity<Category, (typeof events)[number]> = {
  type: 'category',
  prefix: declareIds('category', 'cat'),
  events,
  table: categoryTable,
  wire: categoryWire,
  unique: { name: ({ parent_id, name }, db, tenantId) => findCategoryByName(db, tenantId, parent_id, name) },
}
