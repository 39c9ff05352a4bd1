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
    description:
      'Creates a root category, or a subcategory if `parent_id` is set. Conversations created in the category take its default department and priority if the request sets none.',
    body: NewCategory,
    example: { name: 'Billing', position: 10, default_priority: 'high' },
    replyExample: { ...categoryExample, name: 'Billing', parent_id: null, path: ['Billing'] },
    handle: createCategory,
  },
  list: {
    description: 'Lists the categories of all levels. Set `parent_id` to read the tree level by level.',
  },
  read: { description: 'Returns a category with its `path`, the names from the root down to it.' },
  update: {
    description:
      'Changing `parent_id` moves the category together with its subcategories. New defaults apply only to conversations created afterwards.',
    body: CategoryPatch,
    example: { parent_id: categoryExample.parent_id },
    handle: (change, patch, id) => updateCategory(change, id, patch),
  },
  remove: {
    description:
      'A category with subcategories, or one that conversations or FAQs refer to, cannot be deleted (409). Archive it instead.',
    handle: deleteCategory,
  },
})
