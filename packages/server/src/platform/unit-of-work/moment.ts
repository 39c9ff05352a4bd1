import { type Instant, toInstant, toUnixMs } from '../kernel/clock.ts'

/** One moment for all that a change does. */
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

  /** The change comes after what was done to a row before: by a millisecond, if the clock says less. */
  startAfter(updatedAt: Instant): void {
    const now = this.#clock()
    this.#now = now > updatedAt ? now : toInstant(toUnixMs(updatedAt) + 1)
  }
}
