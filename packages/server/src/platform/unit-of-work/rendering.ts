import type { Instant } from '../kernel/clock.ts'

type Wire<Row> = { json(row: Row, now?: Instant): string }

/** Writes rows of one change as JSON. The response and the event of a change mostly show the same row: it is written once. */
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
