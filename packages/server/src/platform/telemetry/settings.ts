/** The settings of the export by OTLP; `compose/otel-settings.ts` reads them from `OTEL_…` variables. */
export type TelemetrySettings = {
  /** Attributes of the resource, `service.name` among them. */
  resource: Record<string, string | number>
  /** Null exports no traces. */
  traces: (Target & { sampler: Sampler; queue: Queue }) | null
  /** Null exports no metrics. */
  metrics: (Target & { intervalMs: number }) | null
}

/** The receiver of one signal. */
export type Target = {
  url: string
  headers: Record<string, string>
  timeoutMs: number
  isCompressed: boolean
}

/** The share of traces that is recorded: of all, or of those that no client has decided on. */
export type Sampler = { ratio: number; followsParent: boolean }

/** Spans wait for at most `delayMs` or until `batch` of them have ended; those beyond `most` are dropped. */
export type Queue = { most: number; batch: number; delayMs: number }
