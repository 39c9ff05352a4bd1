import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, unavailable } from '../kernel/errors.ts'
import type { Route } from '../resource/resource.ts'
import type { PresentedKey } from './auth.ts'
import { readIdempotencyKey } from './idempotency.ts'
import type { MountDeps } from './mount-deps.ts'
import { requireAcceptable } from './negotiation.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The declaration of a mounted route. */
    route?: Route
  }
  interface FastifyRequest {
    presented: PresentedKey | null
    idempotencyKey: string | null
  }
}

const offered = ['application/json'] as const

/**
 * Admits every request to a route of a version, in the order of the contract (1.3.2), unless the server is
 * overloaded. The version check and 404/405 come before. This hook checks authentication, address and scope, rate
 * limit, `Accept` and the idempotency key. Fastify then reads the body, and the handler of `handlerFor` checks path,
 * query and body.
 */
export function guardRequests(app: FastifyInstance, deps: MountDeps): void {
  app.decorateRequest('presented', null)
  app.decorateRequest('idempotencyKey', null)
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config.route
    if (!route) return // a route without a key
    if (!deps.workload.hasRoom(clientOf(request))) await deps.workload.refuse() // before any work for it
    const presented = await admit(route, senderOf(request), deps)
    if (!deps.unsent.hasRoom(presented.record.id)) throw unavailable()
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

/** The credentials and address of a request. */
export type Sender = { authorization: string | undefined; ip: string }

/** @throws ApiError 401 and 403; 404 for a route that the key's environment lacks */
export async function admit(
  route: Route,
  { authorization, ip }: Sender,
  deps: MountDeps,
): Promise<PresentedKey> {
  const presented = await deps.authenticate(authorization, ip)
  if (!presented.allows(route.scope)) throw new ApiError('scope_missing', { scope: route.scope })
  const { kind } = presented.record.environment
  if (route.testOnly && kind === 'live') {
    const detail =
      'This route exists in the test environment only, and this key belongs to the live environment.'
    throw new ApiError('not_found', { environment: kind }, { detail })
  }
  return presented
}

export const senderOf = ({ headers: { authorization }, ip }: FastifyRequest): Sender => ({
  authorization,
  ip,
})

export const clientOf = (request: FastifyRequest): string => request.headers.authorization ?? ''
