import { type Position, toSortKey } from '../../../platform/journal/positions.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import type { AsOf, SortKey } from '../../../platform/kernel/page.ts'

/** The scope of routes that count. */
export const countsScope = 'views:read'

/** The resources by which filters choose, whose events can change counts. */
const countedBy = new Set(['conversation', 'message', 'rating', 'end_user', 'company'])

export const mayChangeCounts = ({ resource_type }: { resource_type: string }): boolean =>
  countedBy.has(resource_type)

/**
 * The ephemeral events to one operator that tell of something which changes the counts of this operator alone. They
 * reach the streams that act for the operator.
 */
export const changesOwnCounts = ({ name }: { name: string }): boolean => name === 'read_state'

const intervalMs = 2_000

/**
 * Tells one stream that counts may have changed: at once, at most once in an interval, and always after the last
 * change.
 */
export class CountHints {
  readonly #send: (text: string) => boolean
  readonly #cursorAt: (key: SortKey) => string
  #newest: { at: Instant; place: Position } | null = null
  /** True from a change until it was told. */
  #isDue = false
  /** Runs for an interval after each hint. */
  #timer: NodeJS.Timeout | null = null

  /** @param send returns false if nothing can be sent now: `resume` is called afterwards */
  constructor(send: (text: string) => boolean, cursorAt: (key: SortKey) => string) {
    this.#send = send
    this.#cursorAt = cursorAt
  }

  note(at: Instant, place: Position): void {
    this.#newest = { at, place }
    this.#isDue = true
    this.resume()
  }

  resume(): void {
    if (!this.#isDue || this.#timer) return
    const { at, place } = this.#newest!
    const asOf: AsOf = { at, feed_cursor: this.#cursorAt(toSortKey(place)) }
    if (!this.#send(`event: view_counts\ndata: ${JSON.stringify({ as_of: asOf })}\n\n`)) return
    this.#isDue = false
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.resume()
    }, intervalMs).unref()
  }

  close(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#isDue = false
  }
}
