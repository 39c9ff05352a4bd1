import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError, type ErrorCode } from '../../kernel/errors.ts'
import { isTypeId } from '../../kernel/ids.ts'
import type { Caller } from '../../unit-of-work/principal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the problem that was sent; null before, and for other responses. */
    problemCode: ErrorCode | null
    /** For a request without a route: the pattern of one that has its path, but not its method; null if none has. */
    refusedRoute: string | null | undefined
    isRecorded: boolean
  }
}

/** A request and its response, without anything that a client wrote but ids. */
export type RequestRecord = {
  /** The TypeID of the request. */
  id: string
  method: string
  /** The template of the route, as in the OpenAPI document; null for an unknown one. */
  route: string | null
  path: string
  status: number
  code: ErrorCode | null
  /** The response headers of idempotent writes; null without them. */
  isReplay: boolean | null
  originalRequestId: string | null
  /** Unix ms of the server's clock. */
  arrivedAtMs: number
  durationMs: number
  /** Empty if the connection had ended before it was read. */
  address: string
}

/** The log of requests. */
export type RequestLog = {
  /** Keeps a record until it is written. Never waits. */
  add(caller: Caller, record: RequestRecord): void
  /** Counts a record that is lost. */
  drop(): void
}

/** The records of requests whose responses do not end as Fastify expects. */
export type Recorder = {
  /** Called after a response was handed over: one that its client interrupts has no other end. */
  sent(request: FastifyRequest, reply: FastifyReply, payload: unknown): void
  /** Called before Fastify forgets a response that may stay open for days. @returns the function for its end */
  opened(request: FastifyRequest, reply: FastifyReply): () => void
}

type RecorderDeps = {
  /** Finds the sender of a request, whether or not it may do anything; null for an unknown one. */
  recognize(headers: IncomingHttpHeaders, address: string): Promise<Caller | null>
  clock: Clock
  log: RequestLog
}

/** The largest number of refused requests whose senders are looked up at once. */
const maxLookups = 1_000

/**
 * Adds a record of every request below a version or `/mcp` that a known credential sent, when its response has ended.
 * The sender of a request that was refused before or by its admission is looked up then, so that others pay nothing.
 */
export function recordRequests(app: FastifyInstance, { recognize, clock, log }: RecorderDeps): Recorder {
  let lookups = 0

  function recordOf(request: FastifyRequest, reply: FastifyReply, status: number): RequestRecord {
    const durationMs = reply.elapsedTime
    const pattern = patternOf(request)
    const replayed = reply.getHeader('idempotent-replayed')
    const { route, pathOf } = pattern === null ? unknownTemplate : templateOf(pattern)
    return {
      id: request.id,
      method: request.method,
      route,
      path: pathOf(request.url),
      status,
      code: request.problemCode ?? null,
      isReplay: replayed === undefined ? null : replayed === 'true',
      originalRequestId: (reply.getHeader('original-request-id') as string | undefined) ?? null,
      arrivedAtMs: Math.floor(clock() - durationMs),
      durationMs: Math.round(durationMs),
      address: request.ip ?? '',
    }
  }

  function record(request: FastifyRequest, reply: FastifyReply): void {
    if (request.isRecorded || !isLogged(request)) return
    request.isRecorded = true
    const { principal, headers } = request
    const found = recordOf(request, reply, reply.statusCode)
    if (principal?.credential) log.add(principal, found)
    else if (headers.authorization !== undefined || headers.cookie !== undefined) lookUp(headers, found)
  }

  function lookUp(headers: IncomingHttpHeaders, found: RequestRecord): void {
    if (lookups >= maxLookups) {
      log.drop()
      return
    }
    lookups++
    recognize(headers, found.address)
      .then((caller) => caller && log.add(caller, found))
      .catch((error) => (error instanceof ApiError ? undefined : log.drop())) // too many unknown ones, or an outage
      .finally(() => lookups--)
  }

  app.decorateRequest('problemCode', null)
  app.decorateRequest('refusedRoute', undefined)
  app.decorateRequest('isRecorded', false)
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply)
    done()
  })
  return {
    sent(request, reply, payload) {
      if (reply.raw.destroyed) record(request, reply)
      else if (typeof payload === 'object') reply.raw.once('close', () => record(request, reply))
    },
    opened(request, reply) {
      const { principal } = request
      if (!principal?.credential || !isLogged(request)) return () => undefined
      const { environment, actor, holderId, viewerId, facts } = principal
      const caller = { environment, actor, holderId, viewerId, facts }
      const begun = recordOf(request, reply, 200)
      return () => log.add(caller, { ...begun, durationMs: Math.round(clock() - begun.arrivedAtMs) })
    },
  }
}

const isLogged = ({ routeOptions: { config }, url }: FastifyRequest): boolean =>
  config?.route ? !config.route.unlogged : /^\/(?:v\d+|mcp)(?:[/?]|$)/.test(url)

/** The pattern of the route of a request; null for an unknown one. */
function patternOf({ routeOptions, refusedRoute, is404 }: FastifyRequest): string | null {
  if (refusedRoute !== undefined) return refusedRoute
  return is404 ? null : (routeOptions?.url ?? null)
}

type Template = { route: string | null; pathOf(url: string): string }

/** The templates of all patterns of routes. */
const known = new Map<string, Template>()

function templateOf(pattern: string): Template {
  const found = known.get(pattern)
  if (found) return found
  const template = newTemplate(pattern)
  known.set(pattern, template)
  return template
}

function newTemplate(pattern: string): Template {
  const names = pattern.replace(/:(\w+)/g, '{$1}').split('/')
  const route = names.join('/')
  const places = names.flatMap((name, i) => (name.includes('{') ? [i] : []))
  return {
    route,
    pathOf(url) {
      if (places.length === 0) return route
      const given = withoutQuery(url).split('/')
      const shown = [...names]
      for (const i of places) if (isTypeId(given[i] ?? '')) shown[i] = given[i]!
      return shown.join('/')
    },
  }
}

const maxLength = 300

/** An unknown path is what the client wrote, which may contain a credential by mistake, encoded or not. */
const unknownTemplate: Template = {
  route: null,
  pathOf: (url) => withoutQuery(url).split('/').map(withoutToken).join('/').slice(0, maxLength),
}

/** From the beginning of a key or token of ours, or of a JSON Web Token (RFC 7519), whose header begins with `{"`. */
const credential = /(?:bkl_|eyJ[\w-]*\.).*$/s

function withoutToken(segment: string): string {
  if (credential.test(segment)) return segment.replace(credential, '{token}')
  return segment.includes('%') && credential.test(decoded(segment)) ? '{token}' : segment
}

/** Each escape by itself: others may be broken. */
const decoded = (segment: string): string =>
  segment.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

function withoutQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
