import type { BlockList } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx, RequestFacts, StoredResponse } from '../context.ts'
import { change } from '../db/carry-out.ts'
import type { Db } from '../db/database.ts'
import { type Clock, type Instant, toInstant } from '../lib/clock.ts'
import { ApiError, type FieldError, type FieldErrorCode } from '../lib/errors.ts'
import { etagOf, matchesWeakly } from '../lib/etag.ts'
import { typeId, uuidOf } from '../lib/ids.ts'
import type { SortKey } from '../lib/page.ts'
import type { Scope } from '../lib/scopes.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { ListRoute, Route, StreamRoute } from '../resource.ts'
import type { Authenticate, PresentedKey } from './auth.ts'
import { fingerprint, readIdempotencyKey } from './idempotency.ts'
import { requireAcceptable } from './negotiation.ts'
import type { Workload } from './overload.ts'
import { type CursorCodec, defaultLimit, listParameters, maxTotal } from './pagination.ts'
import { parseQuery } from './query.ts'
import type { RateLimiter } from './rate-limit.ts'
import { Enum, Optional, Shape } from './schema.ts'
import { seal, unseal } from './sealing.ts'
import type { OpenStreams } from './streaming.ts'
import { bodyValidator, queryValidator } from './validation.ts'
import { listJson, type Wire } from './wire.ts'

export type MountDeps = {
  db: Db
  clock: Clock
  authenticate: Authenticate
  rateLimiter: RateLimiter | null
  workload: Workload
  cursors: CursorCodec
  /** An operator of an environment by its UUID; null when there is none. */
  findOperator(tenantId: string, id: string): Promise<{ archived: boolean } | null>
  publicUrl: string
  secretBox: SecretBox
  webhookNetworks: BlockList
  /** What the server does by itself, as far as requests have to do with it. */
  background: Pick<Ctx, 'appointed' | 'catchUp' | 'journal' | 'committed'>
  streams: OpenStreams
  /** What is remembered of keys and clocks does not count any more, in any process. */
  forget(): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration behind a route of ours. */
    route?: Route
  }
  interface FastifyRequest {
    presented: PresentedKey | null
    idempotencyKey: string | null
  }
}

const jsonMediaType = 'application/json; charset=utf-8'
const offered = ['application/json'] as const

/**
 * The way of every request below /v1, in the order of the contract (1.3.2), unless there is too much to do. The version
 * check and 404/405 have happened; here come authentication, address and scope, rate limit, `Accept` and the idempotency key, then
 * Fastify reads the body, then the handler made by `handlerFor` goes on with path, query and body.
 */
export function guardRequests(app: FastifyInstance, deps: MountDeps): void {
  app.decorateRequest('presented', null)
  app.decorateRequest('idempotencyKey', null)
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.route
    if (!route) return // a route that needs no key
    if (!deps.workload.hasRoom(clientOf(request))) await deps.workload.refuse() // before anything is done for it
    const presented = await admit(route, request, deps)
    if (deps.rateLimiter) {
      reply.header('ratelimit-policy', deps.rateLimiter.policy)
      reply.header('ratelimit', deps.rateLimiter.take(presented.record.id))
    }
    requireAcceptable(request.headers.accept, route.mediaType ? [route.mediaType] : offered)
    if (route.kind === 'write') {
      request.idempotencyKey = readIdempotencyKey(request.raw)
      if (route.method === 'POST' && request.idempotencyKey === null)
        throw new ApiError('idempotency_key_missing')
    }
    request.presented = presented
  })
}

async function admit(route: Route, request: FastifyRequest, deps: MountDeps): Promise<PresentedKey> {
  const presented = await deps.authenticate(request.headers.authorization, request.ip)
  if (!presented.allows(route.scope)) throw new ApiError('scope_missing', { scope: route.scope })
  if (route.testOnly && presented.record.environment.kind === 'live') throw new ApiError('not_found')
  return presented
}

const clientOf = (request: FastifyRequest): string => request.headers.authorization ?? ''

/** A body may take its time to arrive, and the key may be revoked meanwhile. */
const admissionMs = 500

export function mountRoute(app: FastifyInstance, route: Route, deps: MountDeps): void {
  const handle = handlerFor(route, deps)
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { route },
    handler: (request, reply) => deps.workload.during(clientOf(request), () => handle(request, reply)),
  })
}

/** The query parameters of a route; a list has those of every list besides its filters. */
export function querySchema(route: Route) {
  if (route.kind === 'stream' && route.cursorsOf)
    return Shape({ ...route.query?.properties, cursor: listParameters.cursor })
  if (route.kind !== 'list') return route.query ?? Shape({})
  return Shape({
    sort: Optional(Enum(route.sorts as string[], { default: route.sorts![0] })),
    ...listParameters,
    ...route.query?.properties, // a list may know more to include than `total`
  })
}

type Answer = (input: Input, ctx: Ctx, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Input = { params: Record<string, string>; query: Record<string, unknown>; body: unknown }

function handlerFor(route: Route, deps: MountDeps) {
  const checkQuery = queryValidator(querySchema(route))
  const checkBody = bodyValidator(route.body ?? Shape({}))
  const answer: Answer =
    route.kind === 'list'
      ? answerList(route as ListRoute, deps)
      : route.kind === 'read'
        ? answerRead(route)
        : route.kind === 'stream'
          ? answerStream(route as StreamRoute, deps)
          : answerWrite(route, deps)

  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (reply.elapsedTime > admissionMs) request.presented = await admit(route, request, deps)
    const params = readParams(route, request.params as Record<string, string>)
    const body = route.kind === 'write' ? readBody(route, request) : {}
    const query = parseQuery(request.url)
    checkQuery(query)
    const named = request.headers['backline-operator'] as string | undefined
    const { tenantId } = request.presented!.record.environment
    checkBody(body, named === undefined ? [] : await faultsOfOperator(tenantId, named, deps))
    const ctx = contextOf(route, request, body, named ?? null, deps)
    return answer({ params, query, body }, ctx, request, reply)
  }
}

/** An id in the path that cannot be one names nothing: 404. */
function readParams(route: Route, given: Record<string, string>): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [name, prefix] of Object.entries(route.params ?? {})) {
    const uuid = uuidOf(prefix, given[name]!)
    if (uuid === null) throw new ApiError('not_found')
    params[name] = uuid
  }
  return params
}

function readBody(route: Route, request: FastifyRequest): unknown {
  if (request.body !== undefined) return request.body
  const needed = route.body !== undefined && !route.bodyOptional && route.method !== 'DELETE'
  if (needed) throw new ApiError('malformed_json', {}, { detail: 'The body is empty.' })
  return {}
}

/** What is wrong with the operator that the client says it acts for. */
async function faultsOfOperator(
  tenantId: string,
  id: string,
  { findOperator }: MountDeps,
): Promise<FieldError[]> {
  const fault = (code: FieldErrorCode, detail: string) => [{ header: 'Backline-Operator', code, detail }]
  const uuid = uuidOf('op', id)
  if (uuid === null) return fault('bad_format', 'must be the id of an operator')
  const operator = await findOperator(tenantId, uuid)
  if (!operator) return fault('not_found', 'names no operator of this environment')
  return operator.archived ? fault('not_allowed', 'names an operator that is archived') : []
}

function contextOf(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  operatorId: string | null,
  deps: MountDeps,
): Ctx {
  const presented = request.presented!
  const { record } = presented
  const { environment } = record
  return {
    db: deps.db,
    env: environment,
    actor: { type: 'api_key', id: typeId('key', record.id), operator_id: operatorId },
    allows: presented.allows,
    now: () => toInstant(deps.clock() + environment.clockOffsetMs),
    request: route.kind === 'write' ? factsOf(route, request, body, presented) : null,
    secretBox: deps.secretBox,
    webhookNetworks: deps.webhookNetworks,
    ...deps.background,
  }
}

function factsOf(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  presented: PresentedKey,
): RequestFacts {
  const key = request.idempotencyKey
  return {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 255) ?? null,
    ifMatch: request.headers['if-match'] ?? null,
    sharesCommits: route.sharesCommits ?? false,
    idempotency: key === null ? null : { key, fingerprint: fingerprint(request.method, request.url, body) },
    respond: (result, now) => toStore(route, result as never, now, presented.token),
  }
}

function toStore(route: Route, row: never, now: Instant, token: string): StoredResponse {
  const stored = route.storedReply ?? route.reply
  return {
    status: route.status,
    body: stored ? stored.json(row, now) : '',
    location: route.location ? `/v1${route.location(row)}` : null,
    etag: route.versionOf ? etagOf(route.versionOf(row)) : null,
    resourceId: (row as { id?: string } | null)?.id ?? null,
    sealed: route.storedReply ? seal(token, route.reply!.json(row, now)) : null,
  }
}

/** Writes of these scopes change what is remembered of keys: their validity, and their environment's clock. */
const changesAdmission: Scope[] = ['api_keys:write', 'workspace:write']

const answerWrite =
  (route: Route, deps: MountDeps): Answer =>
  async (input, ctx, request, reply) => {
    const outcome = await change(ctx, (draft) =>
      (route.handle as (...args: unknown[]) => unknown)(draft, input),
    )
    if (changesAdmission.includes(route.scope)) deps.forget() // a revocation and a clock's move hold at once
    if (!outcome.replayed) {
      const shown = route.storedReply
        ? route.reply!.json(outcome.result as never, ctx.now())
        : outcome.response!.body
      if (request.idempotencyKey !== null) reply.header('idempotent-replayed', 'false')
      return send(reply, outcome.response!, shown)
    }
    const stored = outcome.response
    reply.header('idempotent-replayed', 'true').header('original-request-id', stored.requestId)
    return send(
      reply,
      stored,
      (stored.sealed && unseal(request.presented!.token, stored.sealed)) ?? stored.body,
    )
  }

function send(
  reply: FastifyReply,
  { status, location, etag }: Pick<StoredResponse, 'status' | 'location' | 'etag'>,
  body: string,
): FastifyReply {
  if (location !== null) reply.header('location', location)
  if (etag !== null) reply.header('etag', etag)
  if (status === 204) return reply.code(204).send()
  return reply.code(status).header('content-type', jsonMediaType).send(body)
}

const answerRead =
  (route: Route): Answer =>
  async (input, ctx, request, reply) => {
    const row = (await (route.handle as (...args: unknown[]) => unknown)(ctx, input)) as never
    if (row === null) throw new ApiError('not_found')
    if (route.versionOf) {
      const etag = etagOf(route.versionOf(row))
      reply.header('etag', etag)
      const ifNoneMatch = request.headers['if-none-match']
      if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, etag)) return reply.code(304).send()
    }
    return reply
      .header('content-type', jsonMediaType)
      .send((route.reply as Wire<object>).json(row, ctx.now()))
  }

const answerList =
  (route: ListRoute, deps: MountDeps): Answer =>
  async ({ params, query, body }, ctx, request, reply) => {
    const {
      limit = defaultLimit,
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
    // What it shows besides is part of what a cursor continues; its total is not.
    const filters = { ...rest, ...(included.includes('merged') ? { include: 'merged' } : {}) }
    const scope = { tenantId: ctx.env.tenantId, path: pathOf(request.url), filters, sort }
    const after = cursor === undefined ? null : deps.cursors.read(scope, cursor)
    const page = { limit: route.endless ? limit : limit + 1, after, sort }
    const input = { params, query: filters, body, page }
    const [found, total] = await Promise.all([
      route.handle(ctx, input),
      included.includes('total') ? route.count(ctx, input, maxTotal + 1) : null,
    ])
    const { rows, hasMore, reached } = Array.isArray(found) ? pageOf(route, found, limit, sort) : found
    const next = reached === null ? null : deps.cursors.write(scope, reached)
    if (hasMore) reply.header('link', withPrevious(reply, nextLink(request.url, next!, deps.publicUrl)))
    return reply
      .header('content-type', jsonMediaType)
      .send(listJson(route.reply as Wire<object>, rows, ctx.now(), next, hasMore, totalJson(total)))
  }

/** One row more than asked for tells that there are more. */
function pageOf(route: ListRoute, found: object[], limit: number, sort: string) {
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  return { rows, hasMore, reached: hasMore ? route.sortKey(rows.at(-1)!, sort) : null }
}

const totalJson = (total: number | null): string =>
  total === null ? '' : `,"total":${Math.min(total, maxTotal)},"total_is_capped":${total > maxTotal}`

const answerStream =
  (route: StreamRoute, deps: MountDeps): Answer =>
  async ({ query, ...input }, ctx, request, reply) => {
    const { cursor, ...filters } = query as { cursor?: string }
    const { path = route.path, sort = '' } = route.cursorsOf ?? {}
    const scope = { tenantId: ctx.env.tenantId, path: `/v1${path}`, filters, sort }
    const resumed = (request.headers['last-event-id'] as string | undefined) || cursor
    const after = resumed === undefined || !route.cursorsOf ? null : deps.cursors.read(scope, resumed)
    const cursorAt = (key: SortKey) => deps.cursors.write(scope, key)
    return deps.streams.send(
      reply,
      route.mediaType,
      (signal) => route.handle(ctx, { ...input, query: filters }, { after, cursorAt, signal }),
      () => admit(route, request, deps),
    )
  }

const pathOf = (url: string) => url.split('?', 1)[0]!

function nextLink(url: string, cursor: string, publicUrl: string): string {
  const query = new URLSearchParams(url.slice(pathOf(url).length))
  query.set('cursor', cursor)
  return `<${publicUrl}${pathOf(url)}?${query}>; rel="next"`
}

/** A response may carry other links already, such as that to the successor version. */
function withPrevious(reply: FastifyReply, link: string): string {
  const previous = reply.getHeader('link')
  return previous === undefined ? link : `${previous}, ${link}`
}
