import { linesIn, textOf } from './body.ts'
import { ConnectionError } from './errors.ts'
import { pause } from './retry.ts'
import { messagesIn } from './server-sent-events.ts'
import type { AsOf, Event, MeConversation, MeMessage, Notification, ReadState } from './types.generated.ts'

/** Says that somebody is typing in a conversation, or has stopped. */
export type TypingEvent = {
  type: 'typing'
  data: { conversation_id: string; side: 'end_user' | 'operator'; typing: boolean; expires_at: string }
}

/** Says that an operator looks at a conversation or writes in it, or does so no longer. */
export type PresenceEvent = {
  type: 'presence'
  data: {
    conversation_id: string
    operator_id: string
    state: 'viewing' | 'replying' | 'away'
    expires_at: string
  }
}

/** Says that the operator of `Backline-Operator` has marked messages as read or unread. */
export type ReadStateEvent = { type: 'read_state'; data: ReadState }

/**
 * Says that a notification of the operator of `Backline-Operator` was made, got a further fact, or was read; null if
 * several were. `desktop` tells whether a client may show it outside its page, `unread` how many are unread.
 */
export type NotificationEvent = {
  type: 'notification'
  data: { notification: Notification | null; desktop: boolean; unread: number }
}

/** Says that conversations or end users have changed: ask `views.counts` again. */
export type ViewCountsEvent = {
  type: 'view_counts'
  data: { as_of: AsOf }
}

/** An item of `events.stream({ ephemeral: 'true' })` that is not an event: it has no id and is stored nowhere. */
export type EphemeralEvent =
  | TypingEvent
  | PresenceEvent
  | ReadStateEvent
  | NotificationEvent
  | ViewCountsEvent

/** An event of `GET /v1/me/stream`: its type, and the object as lists show it. */
export type MeEvent =
  | { type: 'message.created' | 'message.updated'; data: MeMessage }
  | { type: 'conversation.updated'; data: MeConversation }
  | TypingEvent

export type StreamSource = {
  url: string
  signal: AbortSignal | undefined
  /** The longest time without data. */
  timeoutMs: number
  /** For each connection. Undefined: the client's for the first one, and no limit after it was made. */
  maxRetries: number | undefined
  open(lastEventId: string | null, maxRetries: number | undefined): Promise<Response>
}

/** Until the server has sent a time. */
const firstPauseMs = 1_000
const longestPauseMs = 10_000

/**
 * The events after `after`, or from the time of the connection, each once and in order. Iteration connects. A lost
 * connection is resumed where it ended. `break` and the `signal` of the request end the iteration.
 *
 * Throws errors that a retry does not mend, such as a revoked key, or a cursor older than the retention period.
 */
export class EventStream<Item = Event> implements AsyncIterable<Item> {
  /**
   * The position after the last event that was returned; null before the first connection. To continue after a
   * restart, store it when the event is processed, and pass it as `after`.
   */
  cursor: string | null
  /**
   * Called with true when a connection is made, also again after a loss, and with false when it ends. Set it before the
   * iteration.
   */
  onConnectionChange: ((isConnected: boolean) => void) | undefined
  readonly #source: StreamSource

  constructor(source: StreamSource, after: string | null) {
    this.#source = source
    this.cursor = after
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    try {
      yield* this.#events()
    } catch (error) {
      if (!this.#source.signal?.aborted) throw error
    }
  }

  async *#events(): AsyncGenerator<Item, void, undefined> {
    const { signal, maxRetries, open } = this.#source
    let pauseMs = firstPauseMs
    let response = await open(this.cursor, maxRetries)
    for (let empty = 1; ; empty++) {
      this.onConnectionChange?.(true)
      try {
        for await (const message of messagesIn(linesIn(textOf(response, this.#source)))) {
          empty = 0
          pauseMs = message.retryMs ?? pauseMs
          this.cursor = message.id ?? this.cursor
          if (message.data === undefined) continue
          const data = JSON.parse(message.data)
          yield message.event === undefined ? data : { type: message.event, data }
        }
      } catch (error) {
        if (!(error instanceof ConnectionError)) throw error
      } finally {
        this.onConnectionChange?.(false)
      }
      await pause(Math.min(pauseMs * 2 ** empty, longestPauseMs), signal)
      response = await open(this.cursor, maxRetries ?? Number.POSITIVE_INFINITY)
    }
  }
}
