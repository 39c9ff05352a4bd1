import type { Instant } from '../kernel/clock.ts'

type Wire<Row> = { json(row: Row, now?: Instant): string }

/**
 * Serializes the rows of one change. Its response and its event mostly contain the same row, which is serialized once.
 */
export class Rendering {
  /** The last row of each wire. */
  readonly #last = new Map<unknown, { row: unknown; now: Instant; json: string }>()

  json<Row>(wire: Wire<Row>, row: Row, now: Instant): string {
    const last = this.#last.get(wire)
    if (last?.row === row && last.now === now) return last.json
    const json = wire.json(row, now)
    this.#last.set(wire, { row, now, json })
    return json
  }
}
