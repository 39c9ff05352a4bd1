/*
 * Tracing as the rest of the server sees it. An operation that is not recorded has no span, so it costs nothing:
 * `begin(tracer, …)` returns null. `platform/telemetry` records spans and sends them.
 */

export type Attributes = Record<string, string | number | boolean>

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'

/** The place of a span: 32 and 16 hexadecimal digits. */
export type SpanContext = { traceId: string; spanId: string }

/** The trace that a request or an event belongs to, from `traceparent`. */
export type Parent = SpanContext & { isSampled: boolean }

/** An operation of a trace that is recorded. */
export type Span = {
  readonly context: SpanContext
  /** Begins an operation within this one. */
  child(name: string, kind: SpanKind, attributes?: Attributes): Span
  set(attributes: Attributes): void
  /** Marks the operation as failed. @param type a short name of the error, never its message */
  fail(type: string): void
  /** Ends the operation, now or at the end of one of its children. */
  end(): void
}

export type Tracer = {
  /** Decides whether an operation is recorded. @param parent the one that caused it elsewhere; null begins a trace */
  samples(parent: Parent | null): boolean
  /** Begins an operation that is recorded. */
  start(name: string, kind: SpanKind, parent: Parent | null, attributes?: Attributes): Span
  /** Remembers the span of a request for some minutes, for work that its events cause in this process. */
  remember(requestId: string, context: SpanContext): void
  recall(requestId: string): Parent | null
}

/** Begins an operation if there is a tracer and it samples the operation. */
export const begin = (
  tracer: Tracer | null,
  name: string,
  kind: SpanKind,
  parent: Parent | null,
  attributes?: Attributes,
): Span | null => (tracer?.samples(parent) ? tracer.start(name, kind, parent, attributes) : null)

export const traceparentOf = ({ traceId, spanId }: SpanContext): string => `00-${traceId}-${spanId}-01`

/** Records `work` as a child of a span: its end, and its failure by the name of the error. */
export async function recorded<Result>(span: Span, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    span.fail(errorType(error))
    throw error
  } finally {
    span.end()
  }
}

/** The code of an error, or the name of its class. Messages may contain data. */
export function errorType(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER'
}
