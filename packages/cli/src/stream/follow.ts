import { setTimeout as sleep } from 'node:timers/promises'
import { linesIn, textOf } from '@backline/sdk/body.ts'
import { ConnectionError } from '@backline/sdk/errors.ts'
import { messagesIn } from '@backline/sdk/server-sent-events.ts'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { causeOf, reasonOfLoss } from '../api/client.ts'
import { CommandError } from '../errors.ts'
import { connect, type Source } from './connect.ts'

export type StreamedEvent = {
  /** The text of the server. */
  json: string
  /** The cursor to continue after it. */
  cursor: string | null
  /** The cursor to start with it. */
  before: string | null
}

export type Happening =
  /** `connected`: from here on no event is missed. */
  { kind: 'connected' } | { kind: 'lost'; reason: string } | { kind: 'event'; event: StreamedEvent }

/** The server sends something at least every 15 s. */
const usual = { silentMs: 45_000, longestWaitMs: 10_000 }
const answerMs = 30_000
/** Until the server has sent a retry time. */
const firstRetryMs = 1_000

/**
 * The events of `GET /v1/events/stream`, each once and in order, across lost connections (WHATWG HTML section 9.2).
 * Ends with the signal. A slow consumer leaves later events with the server.
 * @throws CommandError if the server rejects the request, or cannot be reached the first time
 */
export async function* follow(
  source: Source,
  signal: AbortSignal,
  limits = usual,
): AsyncGenerator<Happening> {
  let [before, at] = [null as string | null, source.since ?? null]
  let lastEventId: string | null = null
  let retryMs = firstRetryMs
  let [wasConnected, failures] = [false, 0]
  while (!signal.aborted) {
    let isConnected = false
    let reason = closed
    try {
      const response = await connect(source, lastEventId, signal, answerMs)
      const body = textOf(response, { url: source.url, signal, timeoutMs: limits.silentMs })
      for await (const { id, data, retryMs: asked } of messagesIn(linesIn(body))) {
        if (signal.aborted) return
        retryMs = asked ?? retryMs
        if (id !== undefined) [before, at, lastEventId] = [at, id, id]
        // The first id is the start position; events before it is known could be missed.
        if (id !== undefined && !isConnected) {
          ;[isConnected, wasConnected, failures] = [true, true, 0]
          yield { kind: 'connected' }
        }
        if (data !== undefined) yield { kind: 'event', event: { json: data, cursor: at, before } }
      }
    } catch (error) {
      if (error instanceof CommandError) throw error
      reason = lossOf(error, isConnected ? limits.silentMs : answerMs)
    }
    if (signal.aborted) return
    if (!wasConnected) {
      const message = `cannot stream events from ${source.url}: ${reason}; is the server running? Set --url to its address`
      throw new CommandError('unavailable', message)
    }
    if (isConnected) yield { kind: 'lost', reason }
    const waitMs = Math.max(retryMs, Math.min(retryMs * 2 ** failures++, limits.longestWaitMs))
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

const closed = 'closed by the server'

/** Node reports a closed connection with several errors. */
function lossOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof ConnectionError)) return reasonOf(error)
  const code = causeOf(error)?.code
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET' ? closed : reasonOfLoss(error, timeoutMs)
}
