import type { FastifyRequest } from 'fastify'
import { type Instant, toInstant } from '../../kernel/clock.ts'
import { etagOf } from '../../kernel/etag.ts'
import type { Db } from '../../postgres/database.ts'
import { tracedDb } from '../../postgres/traced-database.ts'
import type { Route } from '../../resource/resource.ts'
import type { Ctx } from '../../unit-of-work/context.ts'
import { keyInSpace } from '../../unit-of-work/idempotency-space.ts'
import type { Principal } from '../../unit-of-work/principal.ts'
import type { Rendering } from '../../unit-of-work/rendering.ts'
import type { RequestFacts, StoredResponse } from '../../unit-of-work/request.ts'
import { fingerprint } from '../request/idempotency.ts'
import type { MountDeps } from './mount-deps.ts'
import { seal } from './secret-replay.ts'

/** The context of an admitted and validated request. */
export function contextOf(
  route: Route,
  request: FastifyRequest,
  principal: Principal,
  body: unknown,
  deps: MountDeps,
): Ctx {
  const { environment } = principal
  const { span } = request
  const home = deps.db.home(environment.tenantId)
  const db = route.kind === 'write' ? home : withRoom(home, request, deps)
  return {
    db: span ? tracedDb(db, span) : db,
    span,
    env: environment,
    principal,
    now: () => toInstant(deps.clock() + environment.clockOffsetMs),
    request: route.kind === 'write' ? factsOf(route, request, body, principal, deps.prefix) : null,
    writes: deps.writes,
    services: deps.services,
  }
}

/** A handle that reads large rows only if there is room for them in responses that wait for their clients. */
const withRoom = (db: Db, request: FastifyRequest, { unsent }: MountDeps): Db => ({
  ...db,
  largeRows: (query, bytes) => db.largeRows(query, bytes, () => unsent.reserve(request, bytes)),
})

/** The secret that encrypts a stored response with a secret in it; null if none is stored. */
export const sealingSecret = (route: Route, request: FastifyRequest, body: unknown): string | null =>
  route.sealWith ? route.sealWith(body as never) : request.principal!.token

function factsOf(
  route: Route,
  request: FastifyRequest,
  body: unknown,
  principal: Principal,
  prefix: string,
): RequestFacts {
  const key = request.idempotencyKey
  return {
    id: request.id,
    ip: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 255) ?? null,
    ifMatch: principal.seesVersions ? (request.headers['if-match'] ?? null) : null,
    sharesStatements: route.sharesStatements ?? false,
    idempotency:
      key === null
        ? null
        : {
            key: keyInSpace(principal.space, key),
            fingerprint: fingerprint(request.method, request.url, body),
          },
    respond: (result, now, rendering, isCreated) => {
      const response = toStore(
        route,
        result as never,
        now,
        rendering,
        sealingSecret(route, request, body),
        prefix,
      )
      return route.createsOrChanges && !isCreated() ? { ...response, status: 200, location: null } : response
    },
  }
}

function toStore(
  route: Route,
  row: never,
  now: Instant,
  rendering: Rendering,
  sealing: string | null,
  prefix: string,
): StoredResponse {
  const stored = route.storedReply ?? route.reply
  const version = route.versionOf?.(row) ?? null
  return {
    status: route.status,
    body: stored ? rendering.json(stored, row, now) : '',
    location: route.location ? `${prefix}${route.location(row)}` : null,
    etag: version === null ? null : etagOf(version),
    resourceId: (row as { id?: string } | null)?.id ?? null,
    sealed: route.storedReply && sealing !== null ? seal(sealing, route.reply!.json(row, now)) : null,
  }
}
