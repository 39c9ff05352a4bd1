import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics } from 'prom-client'
import { unauthorized } from '../../kernel/errors.ts'
import { gauge, histogram, type Metrics, total } from '../../kernel/metrics.ts'
import type { AdmissionControl } from '../limits/load-shedding.ts'
import { isForwarded } from '../request/client-address.ts'

/** Registers the metrics of the process, and those of requests by route and status. */
export function measureRequests(app: FastifyInstance, metrics: Metrics, workload: AdmissionControl): void {
  collectDefaultMetrics({ register: metrics })
  // Their names are those of counters, which they are not.
  for (const what of ['handles', 'requests', 'resources'])
    for (const name of [`nodejs_active_${what}`, `nodejs_active_${what}_total`])
      metrics.removeSingleMetric(name)
  const durations = histogram(metrics, {
    name: 'backline_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  })
  const inProgress = { name: 'backline_http_requests_in_progress', help: 'Requests in progress.' }
  gauge(metrics, inProgress, () => workload.inProgress)
  const refused = {
    name: 'backline_http_requests_refused_total',
    help: 'Requests rejected with 503 because too many were in progress.',
  }
  total(metrics, refused, () => workload.refused)
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
}

/** `GET /metrics` in Prometheus' text format. Scrapes at the same time share one reading. */
export function exposeMetrics(app: FastifyInstance, metrics: Metrics, token: string | null): void {
  let reading: Promise<string> | null = null
  app.get('/metrics', async (request, reply) => {
    requireReader(request, token)
    reading ??= metrics.metrics().finally(() => {
      reading = null
    })
    return reply.header('content-type', metrics.contentType).send(await reading)
  })
}

/** Loopback needs no token. A proxy on this machine is there, too, but those for whom it asks are not. */
function requireReader(request: FastifyRequest, token: string | null): void {
  if (/^127\.|^::1$/.test(request.ip) && !isForwarded(request)) return
  const given = Buffer.from(request.headers.authorization?.replace(/^Bearer +/i, '') ?? '')
  const expected = Buffer.from(token ?? '')
  if (given.length === 0) throw unauthorized('api_key_missing')
  if (token === null || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw unauthorized('api_key_invalid')
}
