import type { AttemptFate } from './attempt.ts'
import type { Destination, DueDelivery } from './queries.ts'

/** Attempts at one endpoint at a time: at first, and at most. */
const firstWindow = 1
const widestWindow = 32
/** Deliveries are read ahead for so many windows, and no fewer than `leastAhead`; their events are read when they are sent. */
const windowsAhead = 4
const leastAhead = 16

/**
 * The deliveries that are due to one endpoint. Its window, the number of attempts that may be under way at a time, is
 * found as TCP finds it (RFC 5681): one more for each success, so that it doubles while all succeed; half for a failure;
 * one for an attempt without an answer. An endpoint that hangs holds one connection once that is known.
 */
export class EndpointQueue {
  destination: Destination
  #window = firstWindow
  readonly #due: DueDelivery[] = []
  /** Due, under way, or not recorded yet: what is found due again is no news. */
  readonly known = new Set<string>()
  #underWay = 0
  readonly #waiting = new Set<string>()
  /** The last attempt had no answer, or failed before this process served the endpoint. */
  #wasUnanswered: boolean

  get id(): string {
    return this.destination.id
  }

  constructor(destination: Destination) {
    this.destination = destination
    this.#wasUnanswered = destination.failing_since !== null
  }

  add(delivery: DueDelivery): void {
    if (this.known.has(delivery.id)) return
    this.known.add(delivery.id)
    this.#due.push(delivery)
  }

  get isReady(): boolean {
    return this.#due.length > 0 && this.#underWay < this.#window
  }

  /** No attempt is waiting, and the last one was answered. An endpoint that was never tried counts as responsive. */
  get isResponsive(): boolean {
    return this.#waiting.size === 0 && !this.#wasUnanswered
  }

  /**
   * Its last attempt was answered, and it has none under way. Many endpoints that have answered well have wide windows;
   * if all of them hang at once, what is kept is left to the others.
   */
  get mayHaveKeptPlace(): boolean {
    return this.#underWay === 0 && !this.#wasUnanswered
  }

  /** The next delivery of a ready endpoint; it is under way then. */
  next(): DueDelivery {
    this.#underWay++
    return this.#due.shift()!
  }

  /** It was not sent after all, and is the next one again. */
  returned(delivery: DueDelivery): void {
    this.#underWay--
    this.#due.unshift(delivery)
  }

  /** Its attempt waits for the endpoint. */
  waits({ id }: DueDelivery): void {
    this.#waiting.add(id)
  }

  /** @param fate null when there was no request */
  ended({ id }: DueDelivery, fate: AttemptFate | null): void {
    this.#underWay--
    this.#waiting.delete(id)
    if (fate === null) return
    this.#wasUnanswered = fate === 'unanswered'
    if (fate === 'succeeded') this.#window = Math.min(widestWindow, this.#window + 1)
    else this.#window = fate === 'failed' ? Math.max(1, this.#window >> 1) : 1
  }

  recorded({ id }: DueDelivery): void {
    this.known.delete(id)
  }

  /** How many deliveries to read; 0 while there are enough. */
  get wanted(): number {
    const enough = this.isResponsive ? this.#window : 1
    return this.#due.length < enough ? Math.max(leastAhead, windowsAhead * this.#window) : 0
  }

  /** Nothing more is sent; what is under way ends. */
  clear(): void {
    for (const { id } of this.#due.splice(0)) this.known.delete(id)
  }

  get isIdle(): boolean {
    return this.known.size === 0
  }
}
