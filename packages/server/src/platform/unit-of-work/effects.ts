import type { Sql } from '../postgres/sql.ts'
import type { Batch } from './batch.ts'
import type { Footprint } from './footprint.ts'
import { type Counter, everywhere, type Part, type PlanPart, planPart } from './plan.ts'

/** Statements of a change besides those of its rows. They become parts of its transaction. */
export class Effects {
  readonly parts: PlanPart[] = []
  readonly #afterCommit: (() => void)[] = []
  readonly #claimed = new Set<string>()
  readonly #shared = new Set<string>()
  readonly #batch: Batch | null

  constructor(batch: Batch | null) {
    this.#batch = batch
  }

  /** Adds a statement, for rows that belong to a resource but are not resources. */
  write(statement: Sql): void {
    this.parts.push(planPart('plain', () => statement, null))
  }

  /** As `write`, for a table of which all servers of a cluster have a copy. */
  writeEverywhere(statement: Sql): void {
    this.parts.push(
      planPart(
        'plain',
        everywhere(() => statement),
        null,
      ),
    )
  }

  /** Adds an item to a statement that writes any number of items. */
  writeBatched<Item>(part: Part<Item>, item: Item): void {
    this.parts.push(planPart('plain', part, item))
  }

  /** Adds an item to a statement that must return one row per item; otherwise the handler runs again. */
  writeExpecting<Item>(part: Part<Item>, item: Item): void {
    this.parts.push(planPart('exact', part, item))
  }

  /** Adds an item to a statement on rows that other changes of the same transaction may also write. */
  writeCounter<Item>(counter: Counter<Item>, item: Item): void {
    this.parts.push({ part: counter as Counter<unknown>, item, mode: 'counter' })
  }

  /** Adds an item to a statement that reads the position of this change's events: that of the last one. */
  writePlaced<Item>(part: Part<Item>, item: Item): void {
    this.parts.push(planPart('placed', part, item))
  }

  /** Runs a function after the commit, if this process is then alive. It must not throw. */
  afterCommit(run: () => void): void {
    this.#afterCommit.push(run)
  }

  committed(): void {
    for (const run of this.#afterCommit) run()
  }

  /** Adds a name to the footprint: no other change in the same transaction may touch it. A row is `type/id`. */
  claim(name: string): void {
    this.#batch?.refuseIfWritten(name)
    this.#claimed.add(name)
  }

  /** Adds a name to the footprint that other changes of the same transaction may share, but not claim. */
  share(name: string): void {
    this.#batch?.refuseIfWritten(name)
    this.#shared.add(name)
  }

  addTo(footprint: Footprint): void {
    for (const name of this.#claimed) footprint.writes.add(name)
    for (const name of this.#shared) footprint.shares.add(name)
  }
}
