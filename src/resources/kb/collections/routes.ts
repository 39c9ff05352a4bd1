import { crud } from '../../../crud.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { createCollection, deleteCollection, updateCollection } from './actions.ts'
import { childrenOf, collectionOrders, collectionTable, withSlug } from './queries.ts'
import {
  CollectionFilters,
  CollectionPatch,
  collectionExample,
  collectionWire,
  NewCollection,
} from './schema.ts'

const fresh = { ...collectionExample, parent_id: null, article_count: 0 }

export const collectionRoutes = crud({
  path: '/kb/collections',
  family: 'kb',
  prefix: 'kbc',
  noun: 'kb collection',
  wire: collectionWire,
  table: collectionTable,
  orders: collectionOrders,
  filters: CollectionFilters,
  conditions: ({ parent_id: parent, slug }) => [
    ...(parent === undefined ? [] : [childrenOf(parent === 'none' ? null : uuidOf('kbc', parent))]),
    ...(slug === undefined ? [] : [withSlug(slug)]),
  ],
  create: {
    body: NewCollection,
    example: { name: 'Cards', slug: 'cards', position: 10 },
    replyExample: fresh,
    handle: createCollection,
  },
  update: {
    description:
      'Another `parent_id` moves a collection with all that is in it and below it; `position` in the same request says where to.',
    body: CollectionPatch,
    example: { parent_id: collectionExample.parent_id, position: 20 },
    replyExample: { ...collectionExample, position: 20, version: 2 },
    handle: (change, patch, id) => updateCollection(change, id, patch),
  },
  remove: {
    description: 'A collection that holds articles, served or as drafts, or collections cannot be deleted.',
    handle: deleteCollection,
  },
})
