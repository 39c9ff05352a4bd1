import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../../kernel/errors.ts'
import type { Route } from '../../resource/resource.ts'
import type { Principal } from '../../unit-of-work/principal.ts'
import { requireAcceptable } from '../request/headers.ts'
import { readIdempotencyKey } from '../request/idempotency.ts'
import type { Access, Sender } from './access.ts'
import type { MountDeps } from './mount-deps.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration of a mounted route. */
    route?: Route
  }
  interface FastifyRequest {
    /** Null before its admission, and for routes without one. */
    principal: Principal | null
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
  app.decorateRequest('principal', null)
  app.decorateRequest('idempotencyKey', null)
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.route
    if (!route) return // a route without a credential
    const client = deps.access.clientOf(request.headers)
    if (!deps.workload.hasRoom(client)) await deps.workload.refuse() // before any work for it
    const principal = await admit(route, senderOf(request, deps.access), deps)
    request.principal = principal
    if (principal.credential === null) return // nobody to count for
    if (!deps.unsent.hasRoom(principal.holderId)) throw unavailable('unread_responses')
    // Comes before the general limit: a request that exceeds this one does not count there.
    if (route.limitedFor) deps.attemptLimits[route.limitedFor]!(principal, request.ip)
    if (deps.rateLimiter) {
      reply.header('ratelimit-policy', deps.rateLimiter.policy)
      reply.header('ratelimit', deps.rateLimiter.take(principal.holderId, principal.countedAs))
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

/**
 * @param former the principal of an open stream that is checked again
 * @throws ApiError as Access.admit does; 404 for a route that the environment lacks
 */
export async function admit(
  route: Route,
  sender: Sender,
  { access }: Pick<MountDeps, 'access'>,
  former?: Principal,
): Promise<Principal> {
  const principal = await access.admit(route, sender, former)
  const { kind } = principal.environment
  if (route.testOnly && kind === 'live') {
    const detail =
      'This route exists in the test environment only, and this key belongs to the live environment.'
    throw new ApiError('not_found', { environment: kind }, { detail })
  }
  return principal
}

export const senderOf = (request: FastifyRequest, access: Access): Sender => ({
  claim: access.claimOf(request.headers),
  ip: request.ip,
  params: request.params as Record<string, string>,
})
