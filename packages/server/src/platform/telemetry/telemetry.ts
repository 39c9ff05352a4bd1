import type { Logger } from 'pino'
import { type Metrics, total } from '../kernel/metrics.ts'
import type { Tracer } from '../kernel/tracing.ts'
import { openExporter } from './exporter.ts'
import { startMetricsExport } from './metrics-export.ts'
import type { TelemetrySettings } from './settings.ts'
import { openSpanQueue } from './span-queue.ts'
import { openTracer } from './tracer.ts'
import { toAttributes } from './wire.ts'

/** The export by OTLP of a server. */
export type Telemetry = {
  /** Null if traces are not exported. */
  tracer: Tracer | null
  /** Sends what is left, for at most two seconds. */
  close(): Promise<void>
}

const closeMs = 2_000

export function startTelemetry(
  { resource, traces, metrics }: TelemetrySettings,
  registry: Metrics,
  log: Logger,
): Telemetry {
  const origin = { attributes: toAttributes(resource) }
  const scope = { name: 'backline' }
  const ends: ((signal: AbortSignal) => Promise<void>)[] = []
  let tracer: Tracer | null = null
  if (traces) {
    const queue = openSpanQueue(openExporter('traces', traces, log), traces.queue, origin, scope)
    const lost = {
      name: 'backline_telemetry_spans_dropped_total',
      help: 'Spans that were not exported: the queue was full, or the receiver refused them.',
    }
    total(registry, lost, () => queue.dropped)
    tracer = openTracer(traces.sampler, queue.add)
    ends.push(queue.close)
  }
  if (metrics) {
    const exporter = openExporter('metrics', metrics, log)
    ends.push(startMetricsExport(registry, exporter, metrics.intervalMs, origin, scope))
  }
  return {
    tracer,
    async close() {
      const signal = AbortSignal.timeout(closeMs)
      await Promise.all(ends.map((end) => end(signal)))
    },
  }
}
