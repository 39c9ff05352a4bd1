import { type Instant, parseInstant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Page, PartialPage } from '../../../platform/kernel/page.ts'
import { type Count, list, read } from '../../../platform/resource/resource.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import {
  countRequests,
  endOfScan,
  findRequest,
  findRequests,
  type LoggedRequest,
  type RequestFilter,
} from './queries.ts'
import { loggedRequestWire, RequestFilters } from './schema.ts'

const scope = 'request_log:read'

/** The number of requests that one statement examines, and the time after which a page ends early. */
const scan = 10_000
const budgetMs = 1_000
const dayMs = 86_400_000

function toFilter(query: RequestFilters): RequestFilter {
  const { session_id, idempotent_replayed: replayed } = query
  const uuid = (prefix: string, id: string | undefined) => (id === undefined ? null : uuidOf(prefix, id))
  const instant = (text: string | undefined) => (text === undefined ? null : parseInstant(text))
  return {
    method: query.method ?? null,
    route: query.route ?? null,
    statuses: query.status === undefined ? null : query.status.split(',').map(rangeOf),
    code: query.code ?? null,
    keyId: uuid('key', query.key_id),
    session:
      session_id === undefined
        ? null
        : session_id.startsWith('cse_')
          ? { column: 'console_session_id', id: uuidOf('cse', session_id)! }
          : { column: 'end_user_session_id', id: uuidOf('eus', session_id)! },
    operatorId: uuid('op', query.operator_id),
    isReplay: replayed === undefined ? null : replayed === 'true',
    slowerThanMs: query.slower_than_ms ?? null,
    createdAfter: instant(query.created_after),
    createdBefore: instant(query.created_before),
  }
}

/** A status, or a class such as `4xx`. */
function rangeOf(status: string): [from: number, to: number] {
  const from = Number(status.replace('xx', '00'))
  return [from, status.endsWith('xx') ? from + 99 : from]
}

/** The time since which requests are kept; null if the log is off. */
function beginningOf({ now, services: { requestLog } }: Ctx): Instant | null {
  return requestLog.isOn ? toInstant(toUnixMs(now()) - requestLog.settings.days * dayMs) : null
}

async function requestsPage(
  ctx: Ctx,
  filter: RequestFilter,
  { limit, after }: Page,
): Promise<LoggedRequest[] | PartialPage<LoggedRequest>> {
  const { db, env } = ctx
  const since = beginningOf(ctx)
  if (since === null) return []
  const giveUpAt = performance.now() + budgetMs
  const found: LoggedRequest[] = []
  for (let before = after === null ? null : String(after[0]); ; ) {
    const part = { filter, keptSince: since, before, scan }
    found.push(...(await findRequests(db, env.tenantId, part, limit - found.length)))
    if (found.length >= limit) return found
    before = await endOfScan(db, env.tenantId, part)
    if (before === null) return found
    if (performance.now() > giveUpAt) return { rows: found, hasMore: true, reached: [before] }
  }
}

async function countOf(ctx: Ctx, filter: RequestFilter, atMost: number): Promise<Count> {
  const { db, env } = ctx
  const since = beginningOf(ctx)
  const giveUpAt = performance.now() + budgetMs
  let count = 0
  for (let before: string | null = null; since !== null && count < atMost; ) {
    const part = { filter, keptSince: since, before, scan }
    count += await countRequests(db, env.tenantId, part)
    before = await endOfScan(db, env.tenantId, part)
    if (before === null) break
    if (performance.now() > giveUpAt) return { count, more: true }
  }
  return Math.min(count, atMost)
}

export const routes = [
  list({
    path: '/request_log',
    name: 'listRequestLog',
    summary: 'List requests',
    description:
      'Lists the requests that known credentials of the environment sent, newest first, those that were refused included; requests for the log itself are left out. A request is in the log within two seconds of the end of its response, and stays for seven days unless the server is set otherwise. With a filter that matches few requests, a page can have few items although `has_more` is true.',
    scope,
    unlogged: true,
    query: RequestFilters,
    item: loggedRequestWire,
    sorts: ['-created_at'],
    fixedSort: true,
    sortKey: ({ id }) => [id],
    handle: (ctx, { query, page }) => requestsPage(ctx, toFilter(query), page),
    count: (ctx, { query }, atMost) => countOf(ctx, toFilter(query), atMost),
  }),
  read({
    path: '/request_log/{request_id}',
    name: 'getLoggedRequest',
    summary: 'Get a request',
    description: 'Returns a request of the log by its `Request-Id`.',
    scope,
    unlogged: true,
    params: { request_id: 'req' },
    reply: loggedRequestWire,
    versioned: false,
    async handle(ctx, { params }) {
      const since = beginningOf(ctx)
      return since === null ? null : findRequest(ctx.db, ctx.env.tenantId, params.request_id!, since)
    },
  }),
]
