import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read, write } from '../../../platform/resource/resource.ts'
import { jobWire, newJobExample } from '../../jobs/schema.ts'
import { startErasureJob } from './kind.ts'
import { erasureOrders, erasureTable, ofEndUser } from './queries.ts'
import { ErasureFilters, erasureExample, erasureWire, NewErasure } from './schema.ts'

type Filter = { end_user_id?: string }

const conditionsOf = ({ end_user_id: id }: Filter) => (id === undefined ? [] : [ofEndUser(uuidOf('eu', id)!)])

export const routes = [
  write({
    method: 'POST',
    path: '/end_users/{id}/erase',
    name: 'eraseEndUser',
    summary: 'Erase a person',
    description:
      'Starts a job that erases all data of the end user and of those merged into it: name, addresses, external id, custom fields, metadata, messages and files, and what other places have of them, such as events, stored responses and logs of deliveries. Its `result` has the `erasure_id` of a certificate. Conversations, counts and times stay for reports, without the person; with `mode` `delete`, the conversations are deleted. It cannot be undone: `dry_run` tells first how many rows it reaches. 409 `legal_hold` under a legal hold, 409 `job_running` while the person is being erased.',
    scope: 'erasure:write',
    status: 202,
    params: { id: 'eu' },
    errors: ['legal_hold', 'job_running', 'identity_conflict'],
    body: NewErasure,
    bodyOptional: true,
    bodyExample: { mode: 'anonymise', dry_run: true },
    reply: jobWire,
    replyExample: {
      ...newJobExample('erasure', { end_user_id: erasureExample.end_user_id, mode: 'anonymise' }),
      dry_run: true,
    },
    location: ({ id }) => `/jobs/${typeId('job', id)}`,
    handle: (change, { params, body }) => startErasureJob(change, params.id, body),
  }),
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
