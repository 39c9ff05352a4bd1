import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Slower requests are logged at level info. */
const slowMs = 1_000

/**
 * Logs a line per response: at level warn if the server failed, info if it was slow, debug otherwise. Refusals because
 * of overload are not failures; they are logged together. The line has the pattern of the route instead of the path,
 * and neither query, headers nor bodies.
 */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const level =
      status >= 500 && status !== 503 ? 'warn' : elapsedTime >= slowMs && status < 500 ? 'info' : 'debug'
    if (log.isLevelEnabled(level)) {
      const { principal, span } = request
      log[level](
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url ?? null,
          status,
          key_id: null,
          ...principal?.logged,
          duration_ms: Math.round(elapsedTime * 10) / 10,
          ...(span ? { trace_id: span.context.traceId } : {}),
        },
        'request',
      )
    }
    done()
  })
}
