import { typeId } from '../../../../platform/kernel/ids.ts'
import { counter, histogram, type Metrics } from '../../../../platform/kernel/metrics.ts'
import { begin, type Tracer, traceparentOf } from '../../../../platform/kernel/tracing.ts'
import { interrupted } from '../transport/failures.ts'
import type { Answer } from '../transport.ts'
import { fateOf } from './attempt.ts'
import type { DueDelivery } from './queries.ts'

/** An attempt that has begun. */
export type Observed = {
  /** `traceparent` if the attempt is recorded. */
  headers: Record<string, string>
  end(answer: Answer): void
}

/** @param requestId of the request that caused the event; null for events of the server itself */
export type Observe = (url: string, delivery: DueDelivery, requestId: string | null) => Observed

/**
 * Counts attempts and records them as spans. An attempt continues the trace of the request that caused the event if
 * this process has recorded that request in the last minutes, and begins a trace otherwise: events do not store one.
 */
export function observeAttempts(metrics: Metrics, tracer: Tracer | null): Observe {
  const attempts = counter(metrics, {
    name: 'backline_webhook_attempts_total',
    help: 'Webhook attempts by outcome: succeeded (2xx), failed (another status), unanswered (no response).',
    labels: ['outcome'],
  })
  const durations = histogram(metrics, {
    name: 'backline_webhook_attempt_duration_seconds',
    help: 'Time from the start of a webhook attempt to its response, or to its failure.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
  })
  return (url, { event_id, tries }, requestId) => {
    const request = (requestId !== null && tracer?.recall(requestId)) || null
    const span = request ? tracer!.start('POST', 'client', request) : begin(tracer, 'POST', 'client', null)
    span?.set({
      'http.request.method': 'POST',
      'server.address': new URL(url).hostname,
      'http.request.resend_count': tries,
      'backline.event.id': typeId('evt', event_id),
      ...(requestId === null ? {} : { 'backline.request.id': requestId }),
    })
    return {
      headers: span ? { traceparent: traceparentOf(span.context) } : {},
      end(answer) {
        if (answer.error !== interrupted) {
          attempts.inc({ outcome: fateOf(answer) })
          durations.observe(answer.durationMs / 1000)
        }
        if (!span) return
        if (answer.status !== null) span.set({ 'http.response.status_code': answer.status })
        if (fateOf(answer) !== 'succeeded')
          span.fail(answer.status === null ? 'no_response' : String(answer.status))
        span.end()
      },
    }
  }
}
