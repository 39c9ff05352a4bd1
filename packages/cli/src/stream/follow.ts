import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonOf } from '@backline/server/compose/reason.ts'
import { createParser } from 'eventsource-parser'
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
      const body = await connect(source, lastEventId, signal, limits.silentMs)
      for await (const message of messagesIn(body)) {
        if (signal.aborted) return
        if ('retryMs' in message) retryMs = message.retryMs
        else if ('data' in message) yield { kind: 'event', event: { json: message.data, cursor: at, before } }
        else {
          ;[before, at, lastEventId] = [at, message.id, message.id]
          if (isConnected) continue
          // The first id is the start position; events before it is known could be missed.
          ;[isConnected, wasConnected, failures] = [true, true, 0]
          yield { kind: 'connected' }
        }
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CommandError) throw error
      reason = reasonOfLoss(error)
    }
    if (!wasConnected) {
      const message = `cannot stream events from ${source.url}: ${reason}; is the server running? Set --url to its address`
      throw new CommandError('unavailable', message)
    }
    if (isConnected) yield { kind: 'lost', reason }
    const waitMs = Math.max(retryMs, Math.min(retryMs * 2 ** failures++, limits.longestWaitMs))
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

type Message = { id: string } | { data: string } | { retryMs: number }

/** The id line of an event precedes its data. */
async function* messagesIn(body: Readable): AsyncGenerator<Message> {
  const messages: Message[] = []
  const parser = createParser({
    onId: (id) => messages.push({ id }),
    onEvent: ({ data }) => messages.push({ data }),
    onRetry: (retryMs) => messages.push({ retryMs }),
  })
  for await (const text of body.setEncoding('utf8')) {
    parser.feed(text)
    yield* messages.splice(0)
  }
}

const closed = 'closed by the server'

/** Node reports a closed connection with several errors. */
const reasonOfLoss = (error: unknown): string =>
  (error as { code?: string }).code === 'ECONNRESET' ? closed : reasonOf(error)
