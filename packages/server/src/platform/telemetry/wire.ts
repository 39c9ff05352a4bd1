/* Parts of the messages of the OpenTelemetry protocol (OTLP 1) in JSON: ids in hexadecimal, 64-bit numbers as text. */

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

export type Resource = { attributes: KeyValue[] }
export type Scope = { name: string }

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
