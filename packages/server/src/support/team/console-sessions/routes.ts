import { uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read, remove } from '../../../platform/resource/resource.ts'
import { revokeConsoleSession } from './actions.ts'
import { consoleSessionOrders, consoleSessionTable, ofOperator } from './queries.ts'
import { ConsoleSessionFilters, consoleSessionWire } from './schema.ts'

const path = '/console_sessions'
const params = { id: 'cse' }

const conditionsOf = ({ operator_id: id }: { operator_id?: string }) =>
  id === undefined ? [] : [ofOperator(uuidOf('op', id)!)]

export const routes = [
  list({
    path,
    name: 'listConsoleSessions',
    summary: 'List sessions of operators in the console',
    description: 'Lists sessions, expired and revoked ones included, never with their tokens.',
    scope: 'operators:read',
    query: ConsoleSessionFilters,
    item: consoleSessionWire,
    sorts: ['-created_at'],
    sortKey: (row, sort) => consoleSessionOrders[sort].key(row),
    handle: ({ db, env }, { query, page }) =>
      consoleSessionTable.list(db, env.tenantId, conditionsOf(query), consoleSessionOrders[page.sort], page),
    count: ({ db, env }, { query }, atMost) =>
      consoleSessionTable.count(db, env.tenantId, conditionsOf(query), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getConsoleSession',
    summary: 'Get a session in the console',
    description: 'Returns a session, also an expired or revoked one.',
    scope: 'operators:read',
    params,
    reply: consoleSessionWire,
    handle: (ctx, { params }) => consoleSessionTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  remove({
    path: `${path}/{id}`,
    name: 'revokeConsoleSession',
    summary: 'Revoke a session in the console',
    description:
      'Takes effect within a second on all servers, and ends open streams. The sign-in has a session of its own in the other environment, which stays. A revoked session can still be read and has `revoked_at`.',
    scope: 'operators:write',
    changesAdmission: true,
    params,
    handle: (change, { params }) => revokeConsoleSession(change, params.id),
  }),
]
