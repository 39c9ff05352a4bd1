import { ApiError, ConnectionError } from '@backline/sdk'
import { type OutboxStore, type Outgoing, outboxStoreAt, type Reason } from './outbox-store.ts'
import { randomKey } from './random-key.ts'

/** The requests of the outbox. */
export type Courier<Body> = {
  /** Resolves once the message has arrived. Repeats with the same key have no further effect. */
  send(outgoing: Outgoing<Body>): Promise<void>
  /** Looks at the messages after those that the person had seen. */
  look(outgoing: Outgoing<Body>): Promise<{
    /** Others have written. */
    isAnswered: boolean
    /** Whether the message is among them; null if this cannot be told. */
    hasArrived: boolean | null
  }>
}

/** A message that was not sent for longer than this waits for the person. */
const longestWaitMs = 15 * 60_000
/** The server keeps idempotency keys for at least this time. */
const keysKeptMs = 86_400_000
const [firstPauseMs, longestPauseMs] = [2_000, 60_000]

/** Another tab sends a message that is due for longer than this: the one where it was written does not run any more. */
const lateMs = 5_000

const ageMs = (instant: string): number => Date.now() - Date.parse(instant)

/** The time until a message is due; 0 if it is. */
const leftMs = ({ dueAt }: { dueAt: string | null }): number =>
  dueAt === null ? 0 : Math.max(0, -ageMs(dueAt))

/** Whether somebody else has to see to the message: one that can be taken back is sent by the tab that wrote it. */
const isLeft = ({ dueAt }: { dueAt: string | null }): boolean => dueAt === null || ageMs(dueAt) >= lateMs

/** Runs while no other tab runs under the same name. Without locks, the keys of the messages have to suffice. */
const alone = (name: string, run: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, run) : run()

/**
 * Sends the messages of a person, in each conversation one after the other, and keeps those that have not arrived.
 *
 * A message that was not sent at once is sent later only if it still fits: if it is not old and nobody else has written
 * meanwhile. Otherwise the person decides.
 */
export class Outbox<Body> {
  readonly store: OutboxStore<Body>
  readonly #name: string
  readonly #courier: Courier<Body>
  /** Approved a moment ago in this tab: they are sent without another look. */
  readonly #approved = new Set<string>()
  /** The last delivery of each conversation. */
  readonly #deliveries = new Map<string, Promise<void>>()

  /** @param name of the person and the environment; all tabs with the same name share the messages */
  constructor(name: string, courier: Courier<Body>) {
    this.#name = name
    this.store = outboxStoreAt(name)
    this.#courier = courier
  }

  /**
   * @param delayMs the time for which the message can be taken back
   * @returns its key
   */
  send(
    message: Pick<Outgoing<Body>, 'conversationId' | 'body' | 'attachments' | 'seenCount'>,
    delayMs = 0,
  ): string {
    const now = new Date().toISOString()
    const key = randomKey()
    const dueAt = delayMs > 0 ? new Date(Date.now() + delayMs).toISOString() : null
    this.#approve({
      ...message,
      key,
      createdAt: now,
      approvedAt: now,
      dueAt,
      state: 'waiting',
      reason: null,
      mayHaveArrived: false,
    })
    return key
  }

  /** Sends a message now, as the person says. `seenCount` as in `send`. */
  sendNow(outgoing: Outgoing<Body>, seenCount: number): void {
    const approvedAt = new Date().toISOString()
    this.#approve({ ...outgoing, approvedAt, dueAt: null, seenCount, state: 'waiting', reason: null })
  }

  /** Takes a message back that was never on its way. Returns it, or null: it is too late. */
  takeBack(key: string): Outgoing<Body> | null {
    const outgoing = this.store.get(key)
    if (!outgoing || outgoing.mayHaveArrived) return null
    this.remove(key)
    void this.#deliver(outgoing.conversationId) // what was written after it
    return outgoing
  }

  /** Leaves to the person what they could still take back of a conversation: somebody else has answered. */
  hold(conversationId: string, isMeant: (body: Body) => boolean): void {
    for (const each of this.#stored())
      if (each.conversationId === conversationId && leftMs(each) > 0 && isMeant(each.body))
        this.store.put({ ...each, state: 'held', reason: { code: 'answered' }, dueAt: null })
  }

  /** The page is being left: sends what this tab has not sent yet, without waiting for anything. */
  flush(): void {
    for (const each of this.#stored()) {
      if (each.state !== 'waiting' || each.dueAt === null || !this.#approved.delete(each.key)) continue
      const left = { ...each, dueAt: null, mayHaveArrived: true }
      this.store.put(left)
      this.#courier.send(left).then(
        () => this.store.remove(each.key),
        () => undefined, // it is stored, and tried again when the page is open again
      )
    }
  }

  /** Forgets a message: it has arrived, or the person does not want to send it. */
  remove(key: string): void {
    this.store.remove(key)
  }

  /**
   * Sends what waits: now, when the browser is online again, and after growing pauses. One tab does this for all.
   * @returns ends it
   */
  keepSending(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    let isBusy = false
    let isEnded = false
    const plan = () => {
      const waiting = this.#waiting()
      if (timer || isBusy || isEnded || waiting.length === 0) return
      const untilLateMs = Math.min(...waiting.map((each) => (isLeft(each) ? 0 : leftMs(each) + lateMs)))
      timer = setTimeout(run, Math.max(untilLateMs, Math.min(firstPauseMs * 2 ** failures, longestPauseMs)))
    }
    const run = async () => {
      clearTimeout(timer)
      timer = undefined
      if (isBusy || isEnded) return
      isBusy = true
      const left = () => this.#waiting().filter(isLeft)
      const conversations = new Set(left().map(({ conversationId }) => conversationId))
      await Promise.all(Array.from(conversations, (id) => this.#deliver(id)))
      isBusy = false
      failures = left().length > 0 ? failures + 1 : 0
      plan()
    }
    const forget = this.store.subscribe(plan)
    addEventListener('online', run)
    void run()
    return () => {
      isEnded = true
      clearTimeout(timer)
      forget()
      removeEventListener('online', run)
    }
  }

  /** Without those that were removed while this tab could not notice it, as when the person signs out. */
  #stored(): Outgoing<Body>[] {
    this.store.refresh()
    return this.store.all()
  }

  #waiting(): Outgoing<Body>[] {
    return this.store.all().filter(({ state }) => state === 'waiting')
  }

  #approve(outgoing: Outgoing<Body>): void {
    this.#approved.add(outgoing.key)
    this.store.put(outgoing)
    const { key, conversationId } = outgoing
    if (!outgoing.dueAt) return void this.#deliver(conversationId)
    setTimeout(() => {
      const latest = this.store.get(key)
      if (latest?.dueAt) this.store.put({ ...latest, dueAt: null })
      void this.#deliver(conversationId)
    }, leftMs(outgoing))
  }

  #deliver(conversationId: string): Promise<void> {
    const before = this.#deliveries.get(conversationId) ?? Promise.resolve()
    const delivery = before
      .then(() => alone(this.#name + conversationId, () => this.#sendWaiting(conversationId)))
      .catch(() => undefined) // the page is being left
    this.#deliveries.set(conversationId, delivery)
    return delivery
  }

  /** Sends in order, up to the first message that cannot be sent now. */
  async #sendWaiting(conversationId: string): Promise<void> {
    for (;;) {
      this.store.refresh()
      const waiting = this.#waiting().filter((each) => each.conversationId === conversationId)
      const [next] = waiting
      if (!next || leftMs(next) > 0) return
      const failure = await this.#attempt(next)
      if (!failure) continue
      for (const { key } of waiting) {
        this.#approved.delete(key)
        const still = this.store.get(key)
        if (still) this.store.put({ ...still, reason: failure })
      }
      return
    }
  }

  /** Returns why the message cannot be sent now; null if it needs no further attempt. */
  async #attempt(outgoing: Outgoing<Body>): Promise<Reason | null> {
    const { key } = outgoing
    try {
      if (!this.#approved.delete(key) && (await this.#holdBack(outgoing))) return null
      const latest = this.store.get(key)
      if (!latest) return null
      this.store.put({ ...latest, mayHaveArrived: true })
      await this.#courier.send(latest)
      this.store.remove(key)
      return null
    } catch (error) {
      const reason = reasonFor(error)
      const latest = this.store.get(key)
      // An event or another tab may have told that it arrived.
      if (!latest) return null
      if (reason.code !== 'refused') return reason
      this.store.put({ ...latest, state: 'refused', reason, mayHaveArrived: false })
      return null
    }
  }

  /** Leaves a message to the person if it may not fit any more. Returns whether it does. */
  async #holdBack(outgoing: Outgoing<Body>): Promise<boolean> {
    const { isAnswered, hasArrived } = await this.#courier.look(outgoing)
    const isOld = ageMs(outgoing.approvedAt) > longestWaitMs
    const code = isAnswered ? 'answered' : 'old'
    const isHeld = hasArrived ? ageMs(outgoing.createdAt) > keysKeptMs : isOld || isAnswered
    const latest = this.store.get(outgoing.key)
    if (!isHeld || !latest) return false
    const mayHaveArrived = latest.mayHaveArrived && hasArrived !== false
    this.store.put({ ...latest, state: 'held', reason: { code }, mayHaveArrived })
    return true
  }
}

/**
 * `refused` if the server has read the message and refused it. Other failures, such as the end of the session, say
 * nothing about an attempt before, whose answer may have been lost.
 */
function reasonFor(error: unknown): Reason {
  if (error instanceof ConnectionError) return { code: 'connection' }
  if (!(error instanceof ApiError)) return { code: 'server' }
  if (error.status === 401) return { code: 'signed_out' }
  const isTransient = error.status >= 500 || error.status === 429 || error.code === 'idempotency_key_in_use'
  return isTransient ? { code: 'server' } : { code: 'refused', problem: error.problem }
}
