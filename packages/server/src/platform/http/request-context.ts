import type { FastifyRequest } from 'fastify'
import { type Instant, toInstant } from '../kernel/clock.ts'
import { etagOf } from '../kernel/etag.ts'
import { typeId } from '../kernel/ids.ts'
import { tracedDb } from '../postgres/traced-database.ts'
import type { Route } from '../resource/resource.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Rendering } from '../unit-of-work/rendering.ts'
import type { RequestFacts, StoredResponse } from '../unit-of-work/request.ts'
import type { PresentedKey } from './auth.ts'
import { fingerprint } from './idempotency.ts'
import type { MountDeps } from './mount-deps.ts'
import { seal } from './secret-replay.ts'

/** The context of an admitted and validated request. */
export function contextOf(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  operatorId: string | null,
  deps: MountDeps,
): Ctx {
  const presented = request.presented!
  const { record } = presented
  const { environment } = record
  const { span } = request
  const db = deps.db.home(environment.tenantId)
  return {
    db: span ? tracedDb(db, span) : db,
    span,
    env: environment,
    actor: { type: 'api_key', id: typeId('key', record.id), operator_id: operatorId },
    allows: presented.allows,
    now: () => toInstant(deps.clock() + environment.clockOffsetMs),
    request: route.kind === 'write' ? factsOf(route, request, body, presented, deps.prefix) : null,
    writes: deps.writes,
    services: deps.services,
  }
}

function factsOf(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  presented: PresentedKey,
  prefix: string,
): RequestFacts {
  const key = request.idempotencyKey
  return {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 255) ?? null,
    ifMatch: request.headers['if-match'] ?? null,
    sharesStatements: route.sharesStatements ?? false,
    idempotency: key === null ? null : { key, fingerprint: fingerprint(request.method, request.url, body) },
    respond: (result, now, rendering) =>
      toStore(route, result as never, now, rendering, presented.token, prefix),
  }
}

function toStore(
  route: Route,
  row: never,
  now: Instant,
  rendering: Rendering,
  token: string,
  prefix: string,
): StoredResponse {
  const stored = route.storedReply ?? route.reply
  return {
    status: route.status,
    body: stored ? rendering.json(stored, row, now) : '',
    location: route.location ? `${prefix}${route.location(row)}` : null,
    etag: route.versionOf ? etagOf(route.versionOf(row)) : null,
    resourceId: (row as { id?: string } | null)?.id ?? null,
    sealed: route.storedReply ? seal(token, route.reply!.json(row, now)) : null,
  }
}
