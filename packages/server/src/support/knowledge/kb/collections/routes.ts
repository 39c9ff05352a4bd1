import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { crud } from '../../../../platform/resource/crud.ts'
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
  noun: 'KB collection',
  wire: collectionWire,
  table: collectionTable,
  orders: collectionOrders,
  filters: CollectionFilters,
  conditions: ({ parent_id: parent, slug }) => [
    ...(parent === undefined ? [] : [childrenOf(parent === 'none' ? null : uuidOf('kbc', parent))]),
    ...(slug === undefined ? [] : [withSlug(slug)]),
  ],
  create: {
    description:
      'Collections are the chapters of a help center: they contain articles and other collections. The slug is generated from the name if it is omitted.',
    body: NewCollection,
    example: { name: 'Cards', slug: 'cards', position: 10 },
    replyExample: fresh,
    handle: createCollection,
  },
  list: {
    description: 'Lists the collections of all levels. Set `parent_id` to read the tree level by level.',
  },
  read: { description: 'Returns a collection. List its articles with `GET /v1/kb/articles?collection_id=`.' },
  update: {
    description:
      'Changing `parent_id` moves the collection together with its articles and subcollections. Set `position` in the same request to place it among its new siblings.',
    body: CollectionPatch,
    example: { parent_id: collectionExample.parent_id, position: 20 },
    replyExample: { ...collectionExample, position: 20, version: 2 },
    handle: (change, patch, id) => updateCollection(change, id, patch),
  },
  remove: {
    description:
      'A collection that contains articles, published or drafts, or other collections cannot be deleted (409). Archive it instead.',
    handle: deleteCollection,
  },
})
