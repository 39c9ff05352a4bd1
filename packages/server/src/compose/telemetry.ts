import type { Logger } from 'pino'
import type { Metrics } from '../platform/kernel/metrics.ts'
import type { TelemetrySettings } from '../platform/telemetry/settings.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'

const none: Telemetry = { tracer: null, close: async () => undefined }

/** Loads the export by OTLP only if it is configured. */
export async function openTelemetry(
  settings: TelemetrySettings | null,
  metrics: Metrics,
  log: Logger,
): Promise<Telemetry> {
  if (!settings) return none
  const { startTelemetry } = await import('../platform/telemetry/telemetry.ts')
  return startTelemetry(settings, metrics, log)
}
