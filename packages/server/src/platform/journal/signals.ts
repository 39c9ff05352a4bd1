import { toInstant } from '../kernel/clock.ts'
import { Counts } from '../kernel/counts.ts'
import type { Ephemeral, EphemeralEvent } from './ephemeral.ts'

/** A state that a client reports and repeats, such as that somebody is typing. It is stored nowhere and expires. */
export type Signal<Subject extends string, State extends string | boolean> = {
  /** The stream of the journal whose readers may see it. */
  streamId: string
  /** Whose state it is. */
  subject: Subject
  state: State
}

export type Expiring<Each> = Each & { expiresAt: string }

/** A kind of signals. */
export type SignalKind<Subject extends string, State extends string | boolean> = {
  /** The name of its ephemeral events. */
  name: string
  /** The time after which a state that is not repeated is over. */
  lastsMs: number
  /** The state that ends the others at once. */
  end: State
  /** The members of the JSON object in events. */
  present(signal: Expiring<Signal<Subject, State>>): Record<string, unknown>
  /** The opposite of `present`. */
  read(data: Record<string, unknown>): { subject: Subject; state: State }
}

/** States other than the end are sent at most once in this time for each subject. */
const intervalMs = 1_000
/** The maximum number of subjects whose states this process remembers; reports of further ones are dropped. */
const maxKnown = 20_000
/** The maximum of one environment: none uses up what the others share. */
const maxOfTenant = 2_000

/** The last state that was sent for a subject, by this process or another one. */
type Known<Each extends { state: unknown }> = {
  signal: Expiring<Each>
  /** The time of the last state that was not the end; the clock is monotonic. */
  startedAtMs: number
  heardAtMs: number
  /** Sends a state that came too soon after the one before. */
  waiting: { state: Each['state']; timer: NodeJS.Timeout } | null
}

/** Distributes the signals of one kind between requests and streams of all processes. */
export class SignalHub<Subject extends string, State extends string | boolean> {
  readonly #kind: SignalKind<Subject, State>
  readonly #ephemeral: Ephemeral
  /** The keys are environment, stream and subject; the one heard of longest ago is first. */
  readonly #known = new Map<string, Known<Signal<Subject, State>>>()
  /** The keys of `#known` by environment and stream. */
  readonly #keys = new Map<string, Set<string>>()
  /** The number of keys of `#known` by environment. */
  readonly #sizes = new Counts()

  constructor(kind: SignalKind<Subject, State>, ephemeral: Ephemeral) {
    this.#kind = kind
    this.#ephemeral = ephemeral
    ephemeral.onEvery(kind.name, (event) => this.#remember(event))
  }

  /**
   * Reports a state. A change is sent at once, or a second after the state before; a repetition at most once a second.
   * The end is sent at once, and only once.
   */
  report(tenantId: string, signal: Signal<Subject, State>): void {
    const { state } = signal
    const nowMs = performance.now()
    this.#forgetUntil(nowMs - this.#kind.lastsMs)
    const known = this.#known.get(keyOf(tenantId, signal))
    const send = () => this.#send(tenantId, signal)
    if (!known) {
      if (this.#hasRoom(tenantId)) send()
      return
    }
    const isSame = known.signal.state === state
    const isEnd = state === this.#kind.end
    const waitMs = isEnd ? 0 : known.startedAtMs + intervalMs - nowMs
    if (waitMs <= 0 && !(isSame && isEnd)) send()
    else if (known.waiting?.state !== state) {
      clearTimeout(known.waiting?.timer)
      known.waiting = isSame ? null : { state, timer: setTimeout(send, waitMs).unref() }
    }
  }

  /** Subscribes to an environment's signals of all processes, and returns the function that ends it. */
  on(tenantId: string, listener: (signal: Expiring<Signal<Subject, State>>) => void): () => void {
    return this.#ephemeral.on(tenantId, (event) => {
      if (event.name === this.#kind.name) listener(this.#read(event))
    })
  }

  /** The states of a stream that have neither ended nor expired, in all processes. */
  current(tenantId: string, streamId: string): Expiring<Signal<Subject, State>>[] {
    this.#forgetUntil(performance.now() - this.#kind.lastsMs)
    const keys = this.#keys.get(streamKeyOf(tenantId, streamId)) ?? []
    return [...keys]
      .map((key) => this.#known.get(key)!.signal)
      .filter(({ state }) => state !== this.#kind.end)
  }

  /** The number of subjects that this process remembers. */
  get size(): number {
    return this.#known.size
  }

  /**
   * The time of its end is in real time: browsers, which read it, do not know the clock of the environment. It is never
   * before that of the state that it replaces, which may be of a process whose clock is ahead.
   */
  #send(tenantId: string, signal: Signal<Subject, State>): void {
    const replacedAt = this.#known.get(keyOf(tenantId, signal))?.signal.expiresAt ?? ''
    const endsAt = toInstant(Date.now() + this.#kind.lastsMs)
    const expiresAt = endsAt > replacedAt ? endsAt : replacedAt
    const data = JSON.stringify(this.#kind.present({ ...signal, expiresAt }))
    this.#ephemeral.send({ tenantId, streamId: signal.streamId, name: this.#kind.name, data })
  }

  #read({ streamId, data }: EphemeralEvent): Expiring<Signal<Subject, State>> {
    const members = JSON.parse(data)
    return { streamId, ...this.#kind.read(members), expiresAt: members.expires_at }
  }

  /** Ignores a state that arrives after a newer one of another process. Ends, too, have an `expiresAt`. */
  #remember(event: EphemeralEvent): void {
    const { tenantId, streamId } = event
    const heardAtMs = performance.now()
    this.#forgetUntil(heardAtMs - this.#kind.lastsMs)
    const signal = this.#read(event)
    const key = keyOf(tenantId, signal)
    const known = this.#known.get(key)
    if (known ? signal.expiresAt < known.signal.expiresAt : !this.#hasRoom(tenantId)) return
    clearTimeout(known?.waiting?.timer)
    const isEnd = signal.state === this.#kind.end
    const startedAtMs = isEnd ? (known?.startedAtMs ?? heardAtMs - intervalMs) : heardAtMs
    this.#known.delete(key) // to the end
    this.#known.set(key, { signal, startedAtMs, heardAtMs, waiting: null })
    if (known) return
    const streamKey = streamKeyOf(tenantId, streamId)
    this.#keys.set(streamKey, (this.#keys.get(streamKey) ?? new Set()).add(key))
    this.#sizes.add(tenantId)
  }

  #hasRoom(tenantId: string): boolean {
    return this.#known.size < maxKnown && this.#sizes.of(tenantId) < maxOfTenant
  }

  #forgetUntil(timeMs: number): void {
    for (const [key, { heardAtMs, waiting }] of this.#known) {
      if (heardAtMs > timeMs) return
      clearTimeout(waiting?.timer)
      this.#known.delete(key)
      const streamKey = key.slice(0, key.lastIndexOf('/'))
      const keys = this.#keys.get(streamKey)
      keys?.delete(key)
      if (keys?.size === 0) this.#keys.delete(streamKey)
      this.#sizes.add(key.slice(0, key.indexOf('/')), -1)
    }
  }
}

const streamKeyOf = (tenantId: string, streamId: string): string => `${tenantId}/${streamId}`

const keyOf = (tenantId: string, { streamId, subject }: { streamId: string; subject: string }): string =>
  `${streamKeyOf(tenantId, streamId)}/${subject}`
