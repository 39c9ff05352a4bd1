import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Parent, type Span, type Tracer, traceparentOf } from '../../kernel/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the request is not recorded. */
    span: Span | null
  }
}

const hex = (text: string | undefined, length: number) => text?.length === length && /^[0-9a-f]+$/.test(text)
const zero = /^0+$/

type Traceparent = Parent & { flags: string }

/** Null without a valid header. For versions later than 00 the known fields are read (W3C Trace Context, 3.2.4). */
export function parseTraceparent(header: string | string[] | undefined): Traceparent | null {
  if (typeof header !== 'string') return null
  const [version, traceId, spanId, flags, ...later] = header.split('-')
  const isWellFormed = hex(version, 2) && hex(traceId, 32) && hex(spanId, 16) && hex(flags, 2)
  if (!isWellFormed || version === 'ff' || (version === '00' && later.length > 0)) return null
  if (zero.test(traceId!) || zero.test(spanId!)) return null
  const isSampled = (Number.parseInt(flags!, 16) & 1) === 1
  return { traceId: traceId!, spanId: spanId!, flags: flags!, isSampled }
}

/**
 * Sets `traceparent` of a response: the span of the request, or a new one of the client's trace if the request is not
 * recorded. Without a trace the response has none.
 */
export function announceTrace({ headers, span }: FastifyRequest, reply: FastifyReply): void {
  if (span) return void reply.header('traceparent', traceparentOf(span.context))
  const parent = parseTraceparent(headers.traceparent)
  if (!parent) return
  const spanId = randomBytes(8).toString('hex')
  reply.header('traceparent', `00-${parent.traceId}-${spanId}-${parent.flags}`)
}

/**
 * Records requests by OpenTelemetry's conventions for HTTP servers. `http.route` stands for the path, which may contain
 * anything that a client mistyped; neither query, body nor addresses are recorded.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer | null): void {
  app.decorateRequest('span', null)
  if (!tracer) return
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = parseTraceparent(request.headers.traceparent)
    if (tracer.samples(parent)) request.span = startRequest(tracer, request, parent)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    endRequest(request, reply.statusCode)
    done()
  })
}

function startRequest(tracer: Tracer, request: FastifyRequest, parent: Parent | null): Span | null {
  const { url: route, config } = request.routeOptions
  if (route !== undefined && !config.route) return null // health checks, metrics and documentation
  const name = route === undefined ? request.method : `${request.method} ${route}`
  const span = tracer.start(name, 'server', parent, {
    'http.request.method': request.method,
    ...(route === undefined ? {} : { 'http.route': route }),
    'url.scheme': request.protocol,
    'network.protocol.version': request.raw.httpVersion,
    'backline.request.id': request.id,
  })
  tracer.remember(request.id, span.context)
  return span
}

/** A live stream ends its span when it has begun; it may stay open for days. */
export function endRequest({ span, principal }: FastifyRequest, status: number): void {
  if (!span) return
  span.set({ 'http.response.status_code': status })
  if (principal) span.set({ 'backline.environment': principal.environment.kind })
  if (status >= 500) span.fail(String(status))
  span.end()
}
