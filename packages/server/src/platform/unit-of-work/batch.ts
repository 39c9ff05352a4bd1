import type { ResourceRow } from './entity.ts'
import { Footprint } from './footprint.ts'

/** Changes that are computed one after the other and written by one statement. */
export class Batch {
  /** Rows that were read, by their names. Null for a row that does not exist. */
  readonly known = new Map<string, ResourceRow | null>()
  /** The footprints of the changes so far. */
  readonly earlier = new Footprint()

  /** Ends a change as soon as it needs what an earlier change of the batch writes. @throws BatchConflict */
  refuseIfWritten(name: string): void {
    if (this.earlier.writes.has(name)) throw new BatchConflict()
  }
}

/** A change cannot be written by the statement of its batch: the next batch begins with it. */
export class BatchConflict extends Error {
  override name = 'BatchConflict'
}
