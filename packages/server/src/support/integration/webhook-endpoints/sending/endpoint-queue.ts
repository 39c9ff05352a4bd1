import type { AttemptFate } from './attempt.ts'
import { type Destination, type DueDelivery, firstWanted } from './queries.ts'

/** The window at first, and its maximum. */
const firstWindow = 1
const widestWindow = 32
/**
 * Deliveries are read ahead for this number of windows, at least `leastAhead`. Their events are read before sending.
 */
const windowsAhead = 4
const leastAhead = firstWanted

/**
 * The due deliveries of one endpoint. Its window follows the congestion control of TCP (RFC 5681): it grows by one for
 * each success, and so doubles while all succeed; a failure halves it; an attempt without a response sets it to one. So
 * an endpoint that is known to hang holds one connection.
 */
export class EndpointQueue {
  destination: Destination
  #window = firstWindow
  readonly #due: DueDelivery[] = []
  /** Ids of deliveries that are due, in progress, or not recorded yet. A query may return them again. */
  readonly known = new Set<string>()
  #underWay = 0
  /** False if the last read found all deliveries that were due. */
  #mayHaveMore = true
  readonly #waiting = new Set<string>()
  /** An attempt has failed since the state of the endpoint was read. */
  #hasFailed = false
  /** The last attempt had no response, or failed before this process served the endpoint. */
  #wasUnanswered: boolean

  get id(): string {
    return this.destination.id
  }

  constructor(destination: Destination) {
    this.destination = destination
    this.#wasUnanswered = destination.failing_since !== null
  }

  /** @param wasIdle true if all attempts were recorded before the destination was read */
  refresh(destination: Destination, wasIdle: boolean): void {
    this.destination = destination
    if (wasIdle) this.#hasFailed = false
  }

  /** False if the last recorded attempt was a success, and all attempts since then as well. */
  get mayBeFailing(): boolean {
    return this.#hasFailed || this.destination.failing_since !== null
  }

  /** Adds deliveries that were read. @param asked the number that was asked for */
  add(deliveries: DueDelivery[], asked: number): void {
    this.#mayHaveMore = asked === 0 || deliveries.length === asked
    for (const delivery of deliveries) {
      if (this.known.has(delivery.id)) continue
      this.known.add(delivery.id)
      this.#due.push(delivery)
    }
  }

  /**
   * True if deliveries have been read that are not sent yet, or more may be due. Another read finds them, and what has
   * become of the endpoint meanwhile.
   */
  get hasMore(): boolean {
    return this.#due.length > 0 || (this.#mayHaveMore && this.wanted > 0)
  }

  get isReady(): boolean {
    return this.#due.length > 0 && this.#underWay < this.#window
  }

  /** True if the last attempt was answered and none is waiting. An endpoint without attempts counts as responsive. */
  get isResponsive(): boolean {
    return this.#waiting.size === 0 && !this.#wasUnanswered
  }

  /**
   * True if its last attempt was answered and it has none in progress. Endpoints that have responded well have wide
   * windows; if many of them hang at once, the kept places remain for the others.
   */
  get mayHaveKeptPlace(): boolean {
    return this.#underWay === 0 && !this.#wasUnanswered
  }

  /** Removes and returns the next delivery of a ready endpoint, and counts it as in progress. */
  next(): DueDelivery {
    this.#underWay++
    return this.#due.shift()!
  }

  /** Puts a delivery back to the front because it was not sent. */
  returned(delivery: DueDelivery): void {
    this.#underWay--
    this.#due.unshift(delivery)
  }

  /** Marks an attempt as waiting for the endpoint. */
  waits({ id }: DueDelivery): void {
    this.#waiting.add(id)
  }

  /** @param fate null if no request was sent */
  ended({ id }: DueDelivery, fate: AttemptFate | null): void {
    this.#underWay--
    this.#waiting.delete(id)
    if (fate === null) return
    this.#wasUnanswered = fate === 'unanswered'
    if (fate !== 'succeeded') this.#hasFailed = true
    if (fate === 'succeeded') this.#window = Math.min(widestWindow, this.#window + 1)
    else this.#window = fate === 'failed' ? Math.max(1, this.#window >> 1) : 1
  }

  recorded({ id }: DueDelivery): void {
    this.known.delete(id)
  }

  /** The number of deliveries to read; 0 if there are enough. */
  get wanted(): number {
    const enough = this.isResponsive ? this.#window : 1
    return this.#due.length < enough ? Math.max(leastAhead, windowsAhead * this.#window) : 0
  }

  /** Removes all due deliveries; attempts in progress continue. */
  clear(): void {
    for (const { id } of this.#due.splice(0)) this.known.delete(id)
  }

  get isIdle(): boolean {
    return this.known.size === 0
  }
}
