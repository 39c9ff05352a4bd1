import type { Sql } from '../postgres/sql.ts'
import type { Batch } from './batch.ts'
import type { Footprint } from './footprint.ts'
import type { Part, PlanPart } from './plan.ts'

/** Statements of a change besides those of its rows; all are parts of the one statement that the change becomes. */
export class Effects {
  readonly parts: PlanPart[] = []
  readonly #claimed = new Set<string>()
  readonly #shared = new Set<string>()
  readonly #batch: Batch | null

  constructor(batch: Batch | null) {
    this.#batch = batch
  }

  /** A further statement, for rows that belong to a resource and are none themselves. */
  write(statement: Sql): void {
    this.parts.push({ part: () => statement, item: null, mode: 'plain' })
  }

  /** A statement that takes many items: all items of one statement are written together. */
  writeBatched<Item>(part: Part<Item>, item: Item): void {
    this.parts.push({ part: part as Part<unknown>, item, mode: 'plain' })
  }

  /** A statement that must return one row for each item; otherwise the change is computed again. */
  writeExpecting<Item>(part: Part<Item>, item: Item): void {
    this.parts.push({ part: part as Part<unknown>, item, mode: 'exact' })
  }

  /** Names what these statements write: no other change in one statement may touch it. A row is `type/id`. */
  claim(name: string): void {
    this.#batch?.refuseIfWritten(name)
    this.#claimed.add(name)
  }

  /** Names what these statements raise or lower: other changes in one statement may as well. */
  claimShared(name: string): void {
    this.#batch?.refuseIfWritten(name)
    this.#shared.add(name)
  }

  addTo(footprint: Footprint): void {
    for (const name of this.#claimed) footprint.writes.add(name)
    for (const name of this.#shared) footprint.shares.add(name)
  }
}
