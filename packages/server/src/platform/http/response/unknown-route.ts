import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../kernel/errors.ts'
import { uuidOf } from '../../kernel/ids.ts'
import { editDistance } from '../../kernel/spelling.ts'
import { allowOrigins } from './cors.ts'

/** Names that clients try because other products have them. Paths are those below a version. */
export type Habits = {
  /** Whole paths, and the paths that serve their purpose. */
  paths: Record<string, string>
  /** Segments of paths, and the segments that take their place. */
  segments: Record<string, string>
}

type KnownPath = {
  path: string
  pattern: RegExp
  methods: Set<string>
  isForBrowsers: boolean
  /** The TypeID prefix of each parameter that is an id. */
  prefixes: Record<string, string>
}

/**
 * Records every route that is added to `app` from now on. The returned function rejects a request without a route:
 * 405 with `Allow` if the path supports other methods, otherwise 404 with the path that was probably meant.
 */
export function unknownRoutes(
  app: FastifyInstance,
  habits: Habits,
): (request: FastifyRequest, reply: FastifyReply) => never {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ method, url, config }) => {
    const entry = known.get(url) ?? {
      path: url,
      pattern: patternOf(url),
      methods: new Set(),
      isForBrowsers: false,
      prefixes: config?.route?.params ?? {},
    }
    if (config?.isPreflight) entry.isForBrowsers = true
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const paths = [...known.values()]
    const matching = paths.filter((route) => hasIdsOf(route, path))
    if (matching.some((route) => route.isForBrowsers)) allowOrigins(reply)
    const methods = matching.flatMap((route) => [...route.methods])
    request.refusedRoute = matching[0]?.path ?? null
    if (methods.length === 0) throw notFound(path, paths, habits)
    const allowed = [...new Set(methods)].sort()
    reply.header('allow', allowed.join(', '))
    throw new ApiError('method_not_allowed', { allowed })
  }
}

const patternOf = (url: string) =>
  new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)

/** True if a route has this path, and ids stand where it has ids: `/conversations/export` is no conversation. */
function hasIdsOf({ pattern, prefixes }: KnownPath, path: string): boolean {
  const match = pattern.exec(path)
  if (!match) return false
  return Object.entries(prefixes).every(([name, prefix]) => uuidOf(prefix, match.groups![name]!) !== null)
}

function notFound(path: string, known: KnownPath[], habits: Habits): ApiError {
  const suggestion = suggestionFor(path, known, habits)
  const [version = ''] = segmentsOf(path)
  const isOfApi = /^v\d+$/.test(version) && known.some((route) => route.path.startsWith(`/${version}/`))
  return new ApiError(isOfApi ? 'route_not_found' : 'not_found', { suggestion })
}

/** Longer paths resemble no route. */
const maxLength = 500

/** The path that was probably meant, by habit or by the nearest spelling; its ids are those of the request. */
function suggestionFor(path: string, known: KnownPath[], habits: Habits): string | null {
  if (path.length > maxLength) return null
  const given = segmentsOf(path)
  const [version, ...rest] = /^v\d+$/.test(given[0] ?? '')
    ? (given as [string, ...string[]])
    : ['v1', ...given]
  const whole = habits.paths[`/${rest.join('/')}`]
  if (whole !== undefined && Object.hasOwn(habits.paths, `/${rest.join('/')}`)) return `/${version}${whole}`
  const renamed = rest.map((each) => (Object.hasOwn(habits.segments, each) ? habits.segments[each]! : each))
  const meant = [version!, ...renamed].join('/')
  if (known.some(({ pattern }) => pattern.test(`/${meant}`)) && `/${meant}` !== path) return `/${meant}`
  const similar = mostSimilar(given, known) ?? mostSimilar(['v1', ...given], known)
  return similar === path ? null : similar
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
