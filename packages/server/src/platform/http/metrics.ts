import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { unauthorized } from './auth.ts'
import type { AdmissionControl } from './load-shedding.ts'

/** A value that is read for each request of the metrics. */
export type MetricSource = { name: string; help: string; read(): number }

/**
 * `GET /metrics` in Prometheus' text format: requests by route and status, load and refusals, the process, and the
 * given sources.
 */
export function exposeMetrics(
  app: FastifyInstance,
  token: string | null,
  workload: AdmissionControl,
  sources: MetricSource[],
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'backline_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  new Gauge({
    name: 'backline_http_requests_in_progress',
    help: 'Requests in progress.',
    registers: [registry],
    collect() {
      this.set(workload.inProgress)
    },
  })
  new Counter({
    name: 'backline_http_requests_refused_total',
    help: 'Requests rejected with 503 because too many were in progress.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(workload.refused)
    },
  })
  for (const { name, help, read } of sources)
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  app.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request.routeOptions
    const labels = {
      method: String(method ?? request.method),
      route: url ?? 'unknown',
      status: String(reply.statusCode),
    }
    durations.observe(labels, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', async (request, reply) => {
    requireReader(request, token)
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}

/** Loopback needs no token. */
function requireReader(request: FastifyRequest, token: string | null): void {
  if (/^(::ffff:)?127\.|^::1$/.test(request.ip)) return
  const given = Buffer.from(request.headers.authorization?.replace(/^Bearer +/i, '') ?? '')
  const expected = Buffer.from(token ?? '')
  if (given.length === 0) throw unauthorized('api_key_missing')
  if (token === null || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw unauthorized('api_key_invalid')
}
