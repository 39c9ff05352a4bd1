import type { Ephemeral, EphemeralEvent } from '../../../platform/journal/ephemeral.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Services } from '../../../platform/unit-of-work/context.ts'
import type { Person } from '../conversations/lifecycle.ts'

const name = 'typing'
/** The time after which a side that typed is taken to have stopped. */
export const lastsMs = 8_000
/** `typing: true` of one side of a conversation is sent at most once in this time. */
const intervalMs = 1_000
/** The maximum number of sides that are known to type in this process; reports of further ones are dropped. */
const maxKnown = 20_000

export type Typing = { conversationId: string; side: Person; typing: boolean; expiresAtMs: number }
type Report = Pick<Typing, 'conversationId' | 'side' | 'typing'>

/** The last that was sent for one side of a conversation. */
type Known = {
  typing: boolean
  /** The time of the last `typing: true`; the clock is monotonic. */
  startedAtMs: number
  sentAtMs: number
  /** Sends a `typing: true` that came too soon after the one before. */
  timer: NodeJS.Timeout | null
}

/** Distributes who is typing, between requests and streams of all processes. Nothing of it is stored. */
export class TypingHub {
  readonly #ephemeral: Ephemeral
  /** The keys are environment, conversation and side; the least recently sent is first. */
  readonly #known = new Map<string, Known>()

  constructor(ephemeral: Ephemeral) {
    this.#ephemeral = ephemeral
  }

  /**
   * Reports that a side is typing, or has stopped. Repeated reports are sent at most once a second; the first one that
   * it has stopped is sent at once.
   */
  report(tenantId: string, { conversationId, side, typing }: Report): void {
    const key = `${tenantId}/${conversationId}/${side}`
    const nowMs = performance.now()
    this.#forgetUntil(nowMs - lastsMs)
    const known = this.#known.get(key)
    if (!known && this.#known.size >= maxKnown) return
    const send = (typing: boolean) => {
      const sentAtMs = performance.now()
      clearTimeout(known?.timer ?? undefined)
      this.#known.delete(key) // to the end
      const startedAtMs = typing ? sentAtMs : (known?.startedAtMs ?? sentAtMs - intervalMs)
      this.#known.set(key, { typing, startedAtMs, sentAtMs, timer: null })
      this.#send(tenantId, { conversationId, side, typing })
    }
    if (!known) send(typing)
    else if (typing) {
      const waitMs = known.startedAtMs + intervalMs - nowMs
      if (waitMs <= 0) send(true)
      else if (!known.typing) known.timer ??= setTimeout(() => send(true), waitMs).unref()
    } else if (known.typing) send(false)
    else {
      clearTimeout(known.timer ?? undefined)
      known.timer = null
    }
  }

  /** Subscribes to an environment's reports of all processes, and returns the function that ends it. */
  on(tenantId: string, listener: (typing: Typing) => void): () => void {
    return this.#ephemeral.on(tenantId, (event) => {
      if (event.name === name) listener(read(event))
    })
  }

  /** The number of sides that this process remembers. */
  get size(): number {
    return this.#known.size
  }

  /** `expires_at` is in real time: browsers, which read it, do not know the clock of the environment. */
  #send(tenantId: string, { conversationId, side, typing }: Report): void {
    const data = JSON.stringify({
      conversation_id: typeId('conv', conversationId),
      side,
      typing,
      expires_at: toInstant(Date.now() + lastsMs),
    })
    this.#ephemeral.send({ tenantId, streamId: conversationId, name, data })
  }

  #forgetUntil(timeMs: number): void {
    for (const [key, { sentAtMs }] of this.#known) {
      if (sentAtMs > timeMs) return
      this.#known.delete(key)
    }
  }
}

function read({ streamId, data }: EphemeralEvent): Typing {
  const { side, typing, expires_at } = JSON.parse(data)
  return { conversationId: streamId, side, typing, expiresAtMs: Date.parse(expires_at) }
}

const hubs = new WeakMap<Ephemeral, TypingHub>()

/** The hub of this process. */
export function typingOf({ ephemeral }: Pick<Services, 'ephemeral'>): TypingHub {
  const hub = hubs.get(ephemeral) ?? new TypingHub(ephemeral)
  hubs.set(ephemeral, hub)
  return hub
}
