import type { Readable } from 'node:stream'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Instant } from '../../kernel/clock.ts'
import { ApiError } from '../../kernel/errors.ts'
import { etagOf, matchesWeakly } from '../../kernel/etag.ts'
import { type DatedPage, maxPageBytes, type PartialPage, type SortKey } from '../../kernel/page.ts'
import type { Count, ListRoute, Route } from '../../resource/resource.ts'
import type { LiveRoute, Reader, StreamRoute } from '../../resource/streams.ts'
import { listJson, type Wire } from '../../resource/wire.ts'
import type { Ctx } from '../../unit-of-work/context.ts'
import type { Principal } from '../../unit-of-work/principal.ts'
import type { StoredResponse } from '../../unit-of-work/request.ts'
import { transact } from '../../unit-of-work/transact.ts'
import { type CursorCodec, type CursorScope, defaultLimit, maxTotal } from '../request/pagination.ts'
import { type Audience, streamHeaders } from '../response/streaming.ts'
import { admit, senderOf } from './admission.ts'
import type { MountDeps } from './mount-deps.ts'
import { sealingSecret } from './request-context.ts'
import { unseal } from './secret-replay.ts'

/* Each kind of route sends its response here, after its request has been validated. */

const jsonMediaType = 'application/json; charset=utf-8'

/**
 * Sets status and headers, and returns the body: text, a stream, or nothing. A live stream writes its response itself.
 */
export type Answer = (
  input: Input,
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Payload>
export type Payload = string | Readable | undefined
export type Input = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

export const answerWrite =
  (route: Route, deps: MountDeps): Answer =>
  async (input, ctx, request, reply) => {
    const outcome = await transact(ctx, (draft) =>
      (route.handle as (...args: unknown[]) => unknown)(draft, input),
    )
    if (route.changesAdmission) deps.forget() // a revocation and a clock's move hold at once
    if (route.storedReply) reply.header('cache-control', 'no-store') // it shows a secret
    if (!outcome.replayed) {
      const shown = route.storedReply
        ? route.reply!.json(outcome.result as never, ctx.now())
        : outcome.response!.body
      if (request.idempotencyKey !== null) reply.header('idempotent-replayed', 'false')
      return toPayload(reply, outcome.response!, shown)
    }
    const stored = outcome.response
    reply.header('idempotent-replayed', 'true').header('original-request-id', stored.requestId)
    const sealing = sealingSecret(route, request, input.body)
    const secret = stored.sealed && sealing !== null && unseal(sealing, stored.sealed)
    return toPayload(reply, stored, secret || stored.body)
  }

function toPayload(
  reply: FastifyReply,
  { status, location, etag }: Pick<StoredResponse, 'status' | 'location' | 'etag'>,
  body: string,
): Payload {
  reply.code(status)
  if (location !== null) reply.header('location', location)
  if (etag !== null) reply.header('etag', etag)
  if (status === 204) return undefined
  reply.header('content-type', jsonMediaType)
  return body
}

export const answerSignal =
  (route: Route): Answer =>
  async (input, ctx, _request, reply) => {
    await (route.handle as (...args: unknown[]) => unknown)(ctx, input)
    reply.code(route.status)
    return undefined
  }

export const answerRead =
  (route: Route): Answer =>
  async (input, ctx, request, reply) => {
    const found = (await (route.handle as (...args: unknown[]) => unknown)(ctx, input)) as never
    if (found === null) throw new ApiError('not_found')
    const [row] = await withIncluded(route, ctx, [found], input.query.include as string | undefined)
    const json = () => (route.reply as Wire<object>).json(row!, ctx.now())
    const version = route.versionOf?.(found) ?? null
    const isWhole = row === found && !route.tagsContent
    const text = isWhole ? null : json()
    const etag = version !== null || route.tagsContent ? etagOf(version, text) : null
    if (etag !== null) {
      reply.header('etag', etag)
      const ifNoneMatch = request.headers['if-none-match']
      if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag)) {
        reply.code(304)
        return undefined
      }
    }
    return sendJson(reply, text ?? json())
  }

function sendJson(reply: FastifyReply, text: string): string {
  reply.header('content-type', jsonMediaType)
  return text
}

async function withIncluded<Row extends object>(
  { includes }: Route,
  ctx: Ctx,
  rows: Row[],
  asked = '',
): Promise<Row[]> {
  const names = asked.split(',').filter((name) => includes?.names.includes(name))
  return names.length === 0 ? rows : includes!.of(ctx, rows as never[], names)
}

export const answerList =
  (route: ListRoute, deps: MountDeps): Answer =>
  async ({ params, query }, ctx, request, reply) => {
    const {
      limit = route.defaultLimit ?? defaultLimit,
      cursor,
      include = '',
      sort = route.sorts[0]!,
      ...rest
    } = query as {
      limit?: number
      cursor?: string
      include?: string
      sort?: string
    }
    const included = include.split(',')
    // The merged objects that a list includes are part of its cursors; its total is not.
    const filters = { ...rest, ...(included.includes('merged') ? { include: 'merged' } : {}) }
    const prepared = await route.handle(ctx, { params, query: filters })
    const scope = { ...cursorOwnerOf(ctx), path: pathOf(request.url), filters, sort, bound: prepared.boundTo }
    const scopes = route.endless ? placesOf(scope) : [scope]
    const after = cursor ? deps.cursors.read(scopes, cursor) : null
    const page = { limit: route.endless ? limit : limit + 1, after, sort }
    if (prepared.stateOf && request.headers['if-none-match'] !== undefined) {
      const state = await prepared.stateOf(page)
      if (state !== null && isUnchanged(state, ctx, request, reply)) return undefined
    }
    // Each in a function of its own: if one throws while the other runs, both outcomes are still awaited.
    const [found, total] = await Promise.all([
      (async () => prepared.page(page))(),
      (async () => (included.includes('total') ? prepared.count(maxTotal + 1) : null))(),
    ])
    const full = Array.isArray(found) ? pageOf(route, found, limit, sort) : found
    const dated = 'asOf' in full ? (full as DatedPage<object>) : null
    if (dated && isUnchanged(dated.state, ctx, request, reply)) return undefined
    const items = await itemsOf(ctx, route, await withIncluded(route, ctx, full.rows, include))
    const cut = items.length < full.rows.length
    const hasMore = cut || full.hasMore
    const reached = cut ? route.sortKey(full.rows[items.length - 1]!, sort) : full.reached
    const place = reached === null ? null : deps.cursors.write(scopes[0]!, reached)
    const next = hasMore ? place! : null
    if (next !== null) reply.header('link', withPrevious(reply, nextLink(request.url, next, deps.publicUrl)))
    reply.header('content-type', jsonMediaType)
    const resume = route.endless ? `,"resume_cursor":${JSON.stringify(place)}` : ''
    const asOf = dated ? `,"as_of":${JSON.stringify(dated.asOf)}` : ''
    return listJson(items, next, resume + asOf + totalJson(total))
  }

/** Sets the ETag of a state, and 304 if the request has it. */
function isUnchanged(state: unknown, ctx: Ctx, request: FastifyRequest, reply: FastifyReply): boolean {
  const etag = etagOf(null, JSON.stringify([request.url, ctx.principal.viewerId, state]))
  reply.header('etag', `W/${etag}`)
  const ifNoneMatch = request.headers['if-none-match']
  if (ifNoneMatch === undefined || !matchesWeakly(ifNoneMatch, etag)) return false
  reply.code(304)
  return true
}

/** One row beyond the limit shows that there are more. */
function pageOf(route: ListRoute, found: object[], limit: number, sort: string): PartialPage<object> {
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  return { rows, hasMore, reached: hasMore ? route.sortKey(rows.at(-1)!, sort) : null }
}

/** The JSON of the first rows: at least one, and no more than the size limit of a page. A feed cuts its own rows. */
async function itemsOf({ db, now }: Ctx, route: ListRoute, rows: object[]): Promise<string[]> {
  const asOf = now()
  const items: string[] = []
  let length = 0
  let lengthAtPause = 0
  for (const row of rows) {
    const item = db.reads.json(route.reply as Wire<object>, row, asOf)
    length += item.length
    if (length > maxPageBytes && items.length > 0 && !route.endless) break
    items.push(item)
    if (length - lengthAtPause < charactersAtOnce) continue
    lengthAtPause = length
    await yieldToOthers()
  }
  return items
}

/** The JSON that is made without a pause for other requests, which takes some milliseconds. */
const charactersAtOnce = 256 * 1024

function totalJson(total: Count | null): string {
  if (total === null) return ''
  const { count, more } = typeof total === 'number' ? { count: total, more: false } : total
  return `,"total":${Math.min(count, maxTotal)},"total_is_capped":${more || count > maxTotal}`
}

export const answerStream =
  (route: StreamRoute, deps: MountDeps): Answer =>
  (input, ctx, request, reply) =>
    deps.streams.download(reply, audienceOf(route, request, deps), route.mediaType, (signal) =>
      route.handle(ctx, input, signal),
    )

export const answerLive =
  (route: LiveRoute, deps: MountDeps): Answer =>
  async ({ query, ...input }, ctx, request, reply) => {
    const { cursor, ...filters } = query as { cursor?: string }
    const { path, sort } = route.cursorsOf
    const scopes = placesOf({
      ...cursorOwnerOf(ctx),
      path: `${deps.prefix}${path}`,
      filters,
      sort,
    })
    const resumed = (request.headers['last-event-id'] as string | undefined) || cursor
    const after = resumed ? deps.cursors.read(scopes, resumed) : null
    if (request.method === 'HEAD') {
      reply.headers(streamHeaders(route.mediaType))
      return undefined
    }
    const cursorAt = cursorsOf(deps.cursors, scopes[0]!)
    // The stream outlives the span of its request.
    const untraced = { ...ctx, db: deps.db.home(ctx.env.tenantId), span: null }
    const open = (reader: Reader) =>
      route.handle(untraced, { ...input, query: filters }, { after, cursorAt }, reader)
    const ended = deps.recorder?.opened(request, reply)
    await deps.streams.live(request, reply, audienceOf(route, request, deps), open, ended)
    return undefined
  }

const cursorOwnerOf = ({ env, principal }: Ctx): Pick<CursorScope, 'tenantId' | 'space'> => ({
  tenantId: env.tenantId,
  space: principal.space,
})

/** A cursor of a feed is a place in it, whatever the filters. Those of older servers are bound to the filters, too. */
const placesOf = (scope: CursorScope): [CursorScope, CursorScope] => [{ ...scope, filters: {} }, scope]

/** Does not capture the request, which a stream would otherwise keep in memory. */
const cursorsOf = (cursors: CursorCodec, scope: CursorScope) => (key: SortKey) => cursors.write(scope, key)

function audienceOf(route: Route, request: FastifyRequest, deps: MountDeps): Audience {
  const sender = senderOf(request, deps.access)
  const principal = request.principal!
  const { holderId, token, streams } = principal
  return {
    id: [token, holderId, sender.ip, route.scope ?? route.credential].join(' '),
    holderId,
    ...(streams ? { most: streams.most } : {}),
    ...(streams && (route as { endsRevoked?: true }).endsRevoked
      ? { endsItselfUntilMs: monotonicOf(streams.endsAt, principal, deps) }
      : {}),
    admitted: () => admit(route, sender, deps, principal),
  }
}

/** A time of the environment on the monotonic clock. */
const monotonicOf = (time: Instant, { environment }: Principal, { clock }: MountDeps): number =>
  performance.now() + Date.parse(time) - clock() - environment.clockOffsetMs

const pathOf = (url: string) => url.split('?', 1)[0]!

function nextLink(url: string, cursor: string, publicUrl: string): string {
  const query = new URLSearchParams(url.slice(pathOf(url).length))
  query.set('cursor', cursor)
  return `<${publicUrl}${pathOf(url)}?${query}>; rel="next"`
}

/** A response may already carry other links, such as the one to the successor version. */
function withPrevious(reply: FastifyReply, link: string): string {
  const previous = reply.getHeader('link')
  return previous === undefined ? link : `${previous}, ${link}`
}
