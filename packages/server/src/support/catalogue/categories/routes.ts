import { uuidOf } from '../../../platform/kernel/ids.ts'
import { crud } from '../../../platform/resource/crud.ts'
import { createCategory, deleteCategory, updateCategory } from './actions.ts'
import { categoryOrders, categoryTable, childrenOf } from './queries.ts'
import { CategoryFilters, CategoryPatch, categoryExample, categoryWire, NewCategory } from './schema.ts'

export const routes = crud({
  path: '/categories',
  family: 'categories',
  prefix: 'cat',
  noun: 'category',
  plural: 'categories',
  wire: categoryWire,
  table: categoryTable,
  orders: categoryOrders,
  filters: CategoryFilters,
  conditions: ({ parent_id: parent }) =>
    parent === undefined ? [] : [childrenOf(parent === 'none' ? null : uuidOf('cat', parent))],
  create: {
    body: NewCategory,
    example: { name: 'Billing', position: 10, default_priority: 'high' },
    replyExample: { ...categoryExample, name: 'Billing', parent_id: null, path: ['Billing'] },
    handle: createCategory,
  },
  update: {
    description: 'Changing `parent_id` moves the category together with its subcategories.',
    body: CategoryPatch,
    example: { parent_id: categoryExample.parent_id },
    handle: (change, patch, id) => updateCategory(change, id, patch),
  },
  remove: {
    description: 'A category with subcategories cannot be deleted.',
    handle: deleteCategory,
  },
})
