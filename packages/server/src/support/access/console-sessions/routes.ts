import { uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read, remove } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { consoleSessionIdOf } from '../../vocabulary/principal.ts'
import { revokeConsoleSession } from './actions.ts'
import { consoleSessionOrders, consoleSessionTable, ofOperator } from './queries.ts'
import { ConsoleSessionFilters, consoleSessionWire } from './schema.ts'

const path = '/console_sessions'
const params = { id: 'cse' }

/** The only operator whose sessions a session in the console sees, unless it may end all of them; null for keys. */
const onlyOf = (ctx: Ctx): string | null =>
  consoleSessionIdOf(ctx) === null || ctx.principal.allows('operators:write') ? null : ctx.principal.viewerId

const conditionsOf = (ctx: Ctx, { operator_id: id }: { operator_id?: string }) =>
  [onlyOf(ctx), id === undefined ? null : uuidOf('op', id)].filter((each) => each !== null).map(ofOperator)

export const routes = [
  list({
    path,
    name: 'listConsoleSessions',
    summary: 'List sessions of operators in the console',
    description:
      'Lists sessions, expired and revoked ones included, never with their tokens. In the console, operators without the scope `operators:write` see their own sessions only, and no events of sessions.',
    scope: 'operators:read',
    query: ConsoleSessionFilters,
    item: consoleSessionWire,
    sorts: ['-created_at'],
    sortKey: (row, sort) => consoleSessionOrders[sort].key(row),
    handle: (ctx, { query, page }) =>
      consoleSessionTable.list(
        ctx.db,
        ctx.env.tenantId,
        conditionsOf(ctx, query),
        consoleSessionOrders[page.sort],
        page,
      ),
    count: (ctx, { query }, atMost) =>
      consoleSessionTable.count(ctx.db, ctx.env.tenantId, conditionsOf(ctx, query), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getConsoleSession',
    summary: 'Get a session in the console',
    description:
      'Returns a session, also an expired or revoked one. In the console, sessions of others are unknown (404) to operators without the scope `operators:write`.',
    scope: 'operators:read',
    params,
    reply: consoleSessionWire,
    handle: async (ctx, { params }) => {
      const session = await consoleSessionTable.find(ctx.db, ctx.env.tenantId, params.id)
      const only = onlyOf(ctx)
      return only === null || session?.operator_id === only ? session : null
    },
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
