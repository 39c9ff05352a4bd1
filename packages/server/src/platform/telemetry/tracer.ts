import { randomFillSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Attributes, Parent, Span, SpanContext, SpanKind, Tracer } from '../kernel/tracing.ts'
import type { Sampler } from './settings.ts'
import { type SpanRecord, toAttributes, toNanos } from './wire.ts'

const kinds = { internal: 1, server: 2, client: 3, consumer: 5 }
/** `STATUS_CODE_ERROR`. */
const failed = { code: 2 }
/** The flag of a sampled trace, and the one that tells that the flag of the parent's process is known. */
const sampled = 0x01
const parentKnown = { none: 0x100, remote: 0x300 }
/** The requests whose events are likely to be sent as webhooks soon. */
const remembered = { max: 10_000, ttl: 5 * 60_000 }

/** @param onEnd receives each recorded span at its end */
export function openTracer(sampler: Sampler, onEnd: (record: SpanRecord) => void): Tracer {
  const requests = new LRUCache<string, SpanContext>(remembered)
  return {
    samples: (parent) => isSampled(sampler, parent),
    start: (name, kind, parent, attributes) =>
      new RecordedSpan(onEnd, name, kind, parent?.traceId ?? newId(16), parent, attributes),
    remember: (requestId, context) => void requests.set(requestId, context),
    recall(requestId) {
      const context = requests.get(requestId)
      return context ? { ...context, isSampled: true } : null
    },
  }
}

/**
 * A trace of a client is decided by its id, so that all processes with one ratio decide alike (W3C Trace Context level
 * 2 has 56 random bits at the end of the id). A new trace has no id yet, so a random number decides.
 */
function isSampled({ ratio, followsParent }: Sampler, parent: Parent | null): boolean {
  if (!parent) return Math.random() < ratio
  if (followsParent) return parent.isSampled
  return Number.parseInt(parent.traceId.slice(-14), 16) >= (1 - ratio) * 2 ** 56
}

const pool = Buffer.allocUnsafe(4096)
let offset = pool.length

function newId(bytes: number): string {
  if (offset + bytes > pool.length) {
    randomFillSync(pool)
    offset = 0
  }
  offset += bytes
  return pool.toString('hex', offset - bytes, offset)
}

class RecordedSpan implements Span {
  readonly context: SpanContext
  readonly #onEnd: (record: SpanRecord) => void
  readonly #name: string
  readonly #kind: SpanKind
  readonly #parent: Parent | SpanContext | null
  readonly #isRemote: boolean
  readonly #startedAt = performance.now()
  readonly #attributes: Attributes
  #isFailed = false
  #isEnded = false

  constructor(
    onEnd: (record: SpanRecord) => void,
    name: string,
    kind: SpanKind,
    traceId: string,
    parent: Parent | SpanContext | null,
    attributes: Attributes = {},
  ) {
    this.#onEnd = onEnd
    this.#name = name
    this.#kind = kind
    this.#parent = parent
    this.#isRemote = parent !== null && 'isSampled' in parent
    this.#attributes = { ...attributes }
    this.context = { traceId, spanId: newId(8) }
  }

  child(name: string, kind: SpanKind, attributes?: Attributes): Span {
    return new RecordedSpan(this.#onEnd, name, kind, this.context.traceId, this.context, attributes)
  }

  set(attributes: Attributes): void {
    Object.assign(this.#attributes, attributes)
  }

  fail(type: string): void {
    this.#isFailed = true
    this.#attributes['error.type'] = type
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const { timeOrigin } = performance
    this.#onEnd({
      ...this.context,
      ...(this.#parent ? { parentSpanId: this.#parent.spanId } : {}),
      flags: sampled | (this.#isRemote ? parentKnown.remote : parentKnown.none),
      name: this.#name,
      kind: kinds[this.#kind],
      startTimeUnixNano: toNanos(timeOrigin + this.#startedAt),
      endTimeUnixNano: toNanos(timeOrigin + performance.now()),
      attributes: toAttributes(this.#attributes),
      ...(this.#isFailed ? { status: failed } : {}),
    })
  }
}
