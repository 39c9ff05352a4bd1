import { uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read } from '../../../platform/resource/resource.ts'
import { erasureOrders, erasureTable, ofEndUser } from './queries.ts'
import { ErasureFilters, erasureWire } from './schema.ts'

type Filter = { end_user_id?: string }

const conditionsOf = ({ end_user_id: id }: Filter) => (id === undefined ? [] : [ofEndUser(uuidOf('eu', id)!)])

export const routes = [
  list({
    path: '/erasures',
    name: 'listErasures',
    summary: 'List erasures',
    description: 'Lists the certificates of complete erasures. They contain no data of the people.',
    scope: 'erasure:read',
    query: ErasureFilters,
    item: erasureWire,
    sorts: ['-created_at', 'created_at'],
    sortKey: (row, sort) => erasureOrders[sort].key(row),
    handle: (ctx, { query, page }) =>
      erasureTable.page(ctx.db, ctx.env.tenantId, conditionsOf(query), erasureOrders[page.sort], page),
    count: (ctx, { query }, atMost) =>
      erasureTable.count(ctx.db, ctx.env.tenantId, conditionsOf(query), atMost),
  }),
  read({
    path: '/erasures/{id}',
    name: 'getErasure',
    summary: 'Get an erasure',
    description: 'Returns the certificate of the erasure of a person.',
    scope: 'erasure:read',
    params: { id: 'era' },
    reply: erasureWire,
    handle: (ctx, { params }) => erasureTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
]
