import { pause } from '../kernel/pause.ts'
import type { Exporter } from './exporter.ts'
import type { Queue } from './settings.ts'
import type { Resource, Scope, SpanRecord } from './wire.ts'

export type SpanQueue = {
  add(span: SpanRecord): void
  /** Spans that were dropped because the queue was full, or that the receiver refused. */
  readonly dropped: number
  /** Sends what is left, until the signal. */
  close(signal: AbortSignal): Promise<void>
}

/** The longest pause after failures, which doubles from the usual delay on. */
const longestPauseMs = 60_000

/**
 * Sends spans in batches. A batch that the receiver cannot take now stays in the queue, and newer spans are dropped
 * while the queue is full.
 */
export function openSpanQueue(
  exporter: Exporter,
  { most, batch, delayMs }: Queue,
  resource: Resource,
  scope: Scope,
): SpanQueue {
  const waiting: SpanRecord[] = []
  const closing = new AbortController()
  let full = new AbortController()
  let dropped = 0

  /** @returns false if the receiver cannot take them now */
  async function sendAll(signal?: AbortSignal): Promise<boolean> {
    while (waiting.length > 0 && !signal?.aborted) {
      const some = waiting.slice(0, batch)
      const outcome = await exporter.send(requestOf(resource, scope, some), signal)
      if (outcome === 'later') return false
      waiting.splice(0, some.length)
      if (outcome === 'refused') dropped += some.length
    }
    return true
  }

  async function run(): Promise<void> {
    let pauseMs = delayMs
    while (!closing.signal.aborted) {
      // After a failure, a full batch is no reason to try earlier.
      const early = pauseMs === delayMs ? [full.signal] : []
      await pause(pauseMs, AbortSignal.any([closing.signal, ...early]))
      if (full.signal.aborted) full = new AbortController()
      const isTaken = await sendAll()
      pauseMs = isTaken ? delayMs : Math.min(2 * pauseMs, longestPauseMs)
    }
  }

  const running = run()
  return {
    add(span) {
      if (waiting.length >= most) dropped++
      else if (waiting.push(span) === batch) full.abort()
    },
    get dropped() {
      return dropped
    },
    async close(signal) {
      closing.abort()
      await Promise.race([running, aborted(signal)])
      await sendAll(signal)
    },
  }
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

const requestOf = (resource: Resource, scope: Scope, spans: SpanRecord[]) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }],
})
