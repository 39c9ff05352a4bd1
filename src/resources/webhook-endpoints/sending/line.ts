/** Attempts at one endpoint at a time: at first, and when it answers well. */
const firstWindow = 8
const widestWindow = 32

/**
 * What is on its way to one endpoint. How much may be under way at a time is found as TCP finds it (RFC 5681): one more
 * for each success, half for a failure, one for an attempt that nobody answered. So an endpoint that hangs holds one
 * connection once that is known, and goes on being tried; one that answers is given all that it takes.
 */
export class Line<Delivery extends { id: string }> {
  #window = firstWindow
  readonly #waiting: Delivery[] = []
  /** Waiting, under way, or not recorded yet: what is found due again is no news. */
  readonly known = new Set<string>()
  underWay = 0

  add(delivery: Delivery): void {
    if (this.known.has(delivery.id)) return
    this.known.add(delivery.id)
    this.#waiting.push(delivery)
  }

  /** The next one that may be sent; it is under way then. */
  next(): Delivery | undefined {
    if (this.underWay >= this.#window) return undefined
    const delivery = this.#waiting.shift()
    if (delivery) this.underWay++
    return delivery
  }

  /** It was not sent after all, and is the next one again. */
  returned(delivery: Delivery): void {
    this.underWay--
    this.#waiting.unshift(delivery)
  }

  /** It came to its end without a request. */
  skipped(): void {
    this.underWay--
  }

  ended(fate: 'succeeded' | 'failed' | 'unanswered'): void {
    this.underWay--
    if (fate === 'succeeded') this.#window = Math.min(widestWindow, this.#window + 1)
    else this.#window = fate === 'failed' ? Math.max(1, this.#window >> 1) : 1
  }

  recorded(id: string): void {
    this.known.delete(id)
  }

  /** Is there enough waiting for what the endpoint takes? */
  get sated(): boolean {
    return this.#waiting.length >= this.#window
  }

  /** Nothing more is sent; what is under way ends. */
  clear(): void {
    for (const { id } of this.#waiting.splice(0)) this.known.delete(id)
  }

  get idle(): boolean {
    return this.known.size === 0
  }
}
