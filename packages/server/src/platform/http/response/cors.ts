import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { words } from '../../kernel/words.ts'
import type { Route } from '../../resource/resource.ts'

/*
 * Web pages of any origin may call the routes without a scope (CORS). Their credentials travel in `Authorization`,
 * which no browser sends by itself, and no cookie opens them: an origin gains nothing that the holder of the credential
 * has not. Nothing else answers CORS, so that no page can use a key with scopes, or a cookie.
 */

const exposed = words(`
  Request-Id ETag Location Link Retry-After RateLimit RateLimit-Policy Idempotent-Replayed Original-Request-Id
  WWW-Authenticate Deprecation Sunset traceparent`).join(', ')
const accepted = words(`
  Authorization Content-Type Idempotency-Key If-Match If-None-Match Last-Event-ID Accept Range User-Agent
  traceparent`).join(', ')
/** Browsers keep the answer to a preflight request for this time; Chromium for at most two hours. */
const maxAgeSeconds = 7_200

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for the preflight route of a path that web pages may call. */
    isPreflight?: true
  }
}

export const isForBrowsers = (route: Route): boolean => route.scope === undefined

/** Sets the headers that let a page read the response, whatever it is. */
export function allowOrigins(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', exposed)
}

/** True if web pages may read the response to this request. */
export const isReadByBrowsers = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.isPreflight === true || (config.route !== undefined && isForBrowsers(config.route))

/** Answers preflight requests (OPTIONS) of the paths that web pages may call. */
export function answerPreflights(app: FastifyInstance, routes: Route[]): void {
  for (const [path, together] of Map.groupBy(routes.filter(isForBrowsers), ({ path }) => path)) {
    const methods = together.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    app.route({
      method: 'OPTIONS',
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      config: { isPreflight: true },
      handler: async (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-methods', methods.join(', '))
          .header('access-control-allow-headers', accepted)
          .header('access-control-max-age', String(maxAgeSeconds))
          .send(),
    })
  }
}
