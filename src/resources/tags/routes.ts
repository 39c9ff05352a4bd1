import { crud } from '../../crud.ts'
import { createTag, deleteTag, updateTag } from './actions.ts'
import { tagOrders, tagTable } from './queries.ts'
import { NewTag, TagPatch, tagWire } from './schema.ts'

export const routes = crud({
  path: '/tags',
  family: 'tags',
  prefix: 'tag',
  noun: 'tag',
  wire: tagWire,
  table: tagTable,
  orders: tagOrders,
  create: { body: NewTag, example: { name: 'billing', color: '#2f80ed' }, handle: createTag },
  update: {
    body: TagPatch,
    example: { color: '#eb5757' },
    handle: (change, patch, id) => updateTag(change, id, patch),
  },
  remove: { handle: deleteTag },
})
