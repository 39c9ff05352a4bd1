import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { editDistance } from '../kernel/edit-distance.ts'
import { ApiError } from '../kernel/errors.ts'
import { allowOrigins } from './cors.ts'

type KnownPath = { path: string; pattern: RegExp; methods: Set<string>; isForBrowsers: boolean }

/**
 * Records every route that is added to `app` from now on. The returned function rejects a request without a route:
 * 405 with `Allow` if the path supports other methods, otherwise 404 with the nearest path.
 */
export function unknownRoutes(app: FastifyInstance): (request: FastifyRequest, reply: FastifyReply) => never {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ method, url, config }) => {
    const entry = known.get(url) ?? {
      path: url,
      pattern: patternOf(url),
      methods: new Set(),
      isForBrowsers: false,
    }
    if (config?.isPreflight) entry.isForBrowsers = true
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const paths = [...known.values()]
    const matching = paths.filter((route) => route.pattern.test(path))
    if (matching.some((route) => route.isForBrowsers)) allowOrigins(reply)
    const methods = matching.flatMap((route) => [...route.methods])
    if (methods.length === 0) throw notFound(path, paths)
    const allowed = [...new Set(methods)].sort()
    reply.header('allow', allowed.join(', '))
    throw new ApiError('method_not_allowed', { allowed })
  }
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)

function notFound(path: string, known: KnownPath[]): ApiError {
  const suggestion = suggestionFor(path, known)
  const [version = ''] = segmentsOf(path)
  const isOfApi = /^v\d+$/.test(version) && known.some((route) => route.path.startsWith(`/${version}/`))
  return new ApiError(isOfApi ? 'route_not_found' : 'not_found', { suggestion })
}

/** Longer paths resemble no route. */
const maxLength = 500

/** The path of the most similar route; its ids are those of the request. */
function suggestionFor(path: string, known: KnownPath[]): string | null {
  if (path.length > maxLength) return null
  const given = segmentsOf(path)
  return mostSimilar(given, known) ?? mostSimilar(['v1', ...given], known)
}

function mostSimilar(given: string[], known: KnownPath[]): string | null {
  let best: string | null = null
  let leastEdits = Number.POSITIVE_INFINITY
  for (const { path } of known) {
    const route = segmentsOf(path)
    if (route.length !== given.length) continue
    const edits = editsBetween(given, route)
    if (edits >= leastEdits) continue
    leastEdits = edits
    best = `/${route.map((name, i) => (isParameter(name) ? given[i] : name)).join('/')}`
  }
  return best
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')
const isParameter = (segment: string): boolean => segment.startsWith(':')

/** The edits of the only name that differs; infinite if two differ, or one by more than a third. */
function editsBetween(given: string[], route: string[]): number {
  const differing = route.flatMap((name, i) => (name === given[i] || isParameter(name) ? [] : [i]))
  const [i] = differing
  if (i === undefined) return 0
  if (differing.length > 1 || given[i]!.length > 60) return Number.POSITIVE_INFINITY
  const edits = editDistance(given[i]!, route[i]!)
  return edits <= Math.max(1, Math.floor(given[i]!.length / 3)) ? edits : Number.POSITIVE_INFINITY
}
