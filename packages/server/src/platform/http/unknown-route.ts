import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../kernel/errors.ts'

/**
 * Records every route that is added to `app` from now on. The returned function rejects a request without a route:
 * 405 with `Allow` if the path supports other methods, otherwise 404.
 */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => never {
  const known = new Map<string, { path: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ method, url }) => {
    const entry = known.get(url) ?? { path: patternOf(url), methods: new Set() }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const methods = [...known.values()]
      .filter((route) => route.path.test(path))
      .flatMap((route) => [...route.methods])
    if (methods.length === 0) throw new ApiError('not_found')
    const allowed = [...new Set(methods)].sort()
    reply.header('allow', allowed.join(', '))
    throw new ApiError('method_not_allowed', { allowed })
  }
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
