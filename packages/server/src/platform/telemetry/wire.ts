/*
 * Messages of the OpenTelemetry protocol (OTLP 1), as objects in the form of its JSON encoding: ids in hexadecimal,
 * 64-bit numbers as text. protobuf.ts encodes the same objects in binary form.
 */

export type KeyValue = {
  key: string
  value: { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }
}

export type SpanRecord = {
  traceId: string
  spanId: string
  parentSpanId?: string
  flags: number
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValue[]
  status?: { code: number }
}

export type NumberPoint = {
  attributes: KeyValue[]
  startTimeUnixNano?: string
  timeUnixNano: string
  asDouble: number
}

export type HistogramPoint = {
  attributes: KeyValue[]
  startTimeUnixNano: string
  timeUnixNano: string
  count: string
  sum: number
  bucketCounts: string[]
  explicitBounds: number[]
}

export type MetricRecord = { name: string; description: string; unit: string } & (
  | { gauge: { dataPoints: NumberPoint[] } }
  | { sum: { dataPoints: NumberPoint[]; aggregationTemporality: number; isMonotonic: boolean } }
  | { histogram: { dataPoints: HistogramPoint[]; aggregationTemporality: number } }
)

export type Resource = { attributes: KeyValue[] }
type Origin = { resource: Resource }
export type Scope = { name: string }

export type TracesRequest = {
  resourceSpans: (Origin & { scopeSpans: { scope: Scope; spans: SpanRecord[] }[] })[]
}
export type MetricsRequest = {
  resourceMetrics: (Origin & { scopeMetrics: { scope: Scope; metrics: MetricRecord[] }[] })[]
}

export const toAttributes = (values: Record<string, string | number | boolean>): KeyValue[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : Number.isSafeInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }))

/** Converts milliseconds since 1970, with a fraction, to nanoseconds. A double is exact to a microsecond. */
export function toNanos(unixMs: number): string {
  const whole = Math.floor(unixMs)
  return `${whole}${String(Math.floor((unixMs - whole) * 1e6)).padStart(6, '0')}`
}
