import { type Instant, toInstant, toUnixMs } from '../kernel/clock.ts'

/** The one time of all writes of a change. */
export class Moment {
  readonly #clock: () => Instant
  #now: Instant

  constructor(clock: () => Instant) {
    this.#clock = clock
    this.#now = clock()
  }

  get now(): Instant {
    return this.#now
  }

  /** Places the change after the last update of a row: by one millisecond if the clock is not past it. */
  startAfter(updatedAt: Instant): void {
    const now = this.#clock()
    this.#now = now > updatedAt ? now : toInstant(toUnixMs(updatedAt) + 1)
  }
}
