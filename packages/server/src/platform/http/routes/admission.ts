import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import { uuidOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/networks.ts'
import { credentialFor } from '../../resource/access.ts'
import type { Route } from '../../resource/resource.ts'
import { type Presented, tokenInHeader } from '../auth.ts'
import { tokenInCookie } from '../console-cookies.ts'
import { type ConsoleClaim, consoleClaimOf, consoleHeader } from '../console-requests.ts'
import type { CountedFor } from '../limits/rate-limit.ts'
import { requireAcceptable } from '../request/headers.ts'
import { readIdempotencyKey } from '../request/idempotency.ts'
import type { MountDeps } from './mount-deps.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration of a mounted route. */
    route?: Route
  }
  interface FastifyRequest {
    presented: Presented | null
    idempotencyKey: string | null
  }
}

const offered = ['application/json'] as const

/**
 * Admits every request to a route of a version, in the order of the contract (1.3.2), unless the server is
 * overloaded. The version check and 404/405 come before. This hook checks authentication, address and scope, rate
 * limits, `Accept` and the idempotency key. Fastify then reads the body, and the handler of `handlerFor` checks path,
 * query and body.
 */
export function guardRequests(app: FastifyInstance, deps: MountDeps): void {
  app.decorateRequest('presented', null)
  app.decorateRequest('idempotencyKey', null)
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.route
    if (!route) return // a route without a credential
    const client = clientOf(request, deps.publicUrl)
    if (!deps.workload.hasRoom(client)) await deps.workload.refuse() // before any work for it
    const presented = await admit(route, senderOf(request), deps)
    request.presented = presented
    if (presented.credential === 'none') return // nobody to count for
    if (!deps.unsent.hasRoom(presented.holderId)) throw unavailable('unread_responses')
    countAttempt(route, presented, request.ip, deps)
    if (deps.rateLimiter) {
      reply.header('ratelimit-policy', deps.rateLimiter.policy)
      reply.header('ratelimit', deps.rateLimiter.take(presented.holderId, countedFor(presented)))
    }
    if (route.kind !== 'content')
      requireAcceptable(request.headers.accept, route.mediaType ? [route.mediaType] : offered)
    if (route.kind === 'write') {
      request.idempotencyKey = readIdempotencyKey(request.raw)
      if (route.method === 'POST' && request.idempotencyKey === null)
        throw new ApiError('idempotency_key_missing')
    }
  })
}

const countedFor = ({ console, session }: Presented): CountedFor =>
  console ? 'console_session' : session ? 'end_user' : 'api_key'

/** Comes before the general limit: who exceeds this one uses nothing of what others share. */
function countAttempt(
  { limitedFor }: Route,
  presented: Presented,
  address: string,
  { attemptLimiters }: MountDeps,
): void {
  if (limitedFor === 'sessions') attemptLimiters.sessions?.take(networkOf(address), 'network')
  if (limitedFor === 'end_user_writes') attemptLimiters.end_user_writes?.take(presented.holderId, 'end_user')
}

/** The credential, address and origin of a request, and what its path names. */
export type Sender = {
  authorization: string | undefined
  /** Null unless the console sends the request. */
  console: ConsoleClaim | null
  ip: string
  origin: string | undefined
  params: Record<string, string>
}

/**
 * @param isUse false for another check of a sender who has been admitted: an open stream keeps no session alive
 * @throws ApiError 401 and 403; 404 for a route that the key's environment lacks
 */
export async function admit(
  route: Route,
  { authorization, console, ip, origin, params }: Sender,
  deps: MountDeps,
  isUse = true,
): Promise<Presented> {
  const credential = credentialFor(route)
  if (credential === 'none') return anybody(route, ip, params, deps)
  const presented =
    console && authorization === undefined
      ? await deps.authenticate.inConsole(console, ip, isUse)
      : await deps.authenticate(authorization, ip, credential)
  if (presented.credential !== credential) throw otherCredential(route, presented)
  if (route.scope && !presented.allows(route.scope) && !isOfOwnOperator(route, presented, params))
    throw scopeMissing(route.scope, presented)
  if (credential === 'publishable_key' && origin !== undefined) requireOrigin(presented, origin)
  const { kind } = presented.environment
  if (route.testOnly && kind === 'live') {
    const detail =
      'This route exists in the test environment only, and this key belongs to the live environment.'
    throw new ApiError('not_found', { environment: kind }, { detail })
  }
  return presented
}

const scopeMissing = (scope: string, { console }: Presented) =>
  new ApiError(
    'scope_missing',
    { scope },
    console ? { detail: `The role of the operator lacks the scope ${scope}.` } : {},
  )

/** True if an operator in the console does something to itself that it may do without the scope. */
const isOfOwnOperator = ({ ownOperator }: Route, { console }: Presented, given: Record<string, string>) =>
  ownOperator !== undefined && console !== null && uuidOf('op', given[ownOperator]!) === console.operator.id

/** A sender without a credential, in the environment of what the path names. @throws ApiError `not_found` */
async function anybody(
  route: Route,
  address: string,
  given: Record<string, string>,
  { db }: MountDeps,
): Promise<Presented> {
  const ids = Object.entries(route.params ?? {}).map(([name, prefix]) => [name, uuidOf(prefix, given[name]!)])
  const isWhole = ids.every(([, id]) => id !== null)
  const environment = isWhole ? await route.environmentOf!(db, Object.fromEntries(ids)) : null
  if (environment === null) throw new ApiError('not_found')
  return {
    credential: 'none',
    token: '',
    environment,
    holderId: address,
    allows: () => false,
    key: null,
    session: null,
    console: null,
  }
}

const otherCredential = (route: Route, presented: Presented) =>
  new ApiError('scope_missing', {
    ...(route.scope ? { scope: route.scope } : {}),
    credential: credentialFor(route),
    presented: presented.credential,
  })

/** Browsers send the origin of the page; other clients send none. */
function requireOrigin({ key }: Presented, origin: string): void {
  if (key?.allowedOrigins.includes(origin.toLowerCase())) return
  throw new ApiError('origin_not_allowed', { origin: origin.slice(0, maxOriginLength) })
}

const maxOriginLength = 300

export const senderOf = (request: FastifyRequest): Sender => ({
  authorization: request.headers.authorization,
  console: consoleClaimOf(request),
  ip: request.ip,
  origin: request.headers.origin,
  params: request.params as Record<string, string>,
})

/** The token, to tell clients apart before any work for them; empty without one. */
export function clientOf({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl: string): string {
  const { authorization, cookie, [consoleHeader]: console } = headers
  if (authorization !== undefined) return tokenInHeader(authorization) ?? ''
  return (console === undefined ? null : tokenInCookie(cookie, publicUrl)) ?? ''
}
