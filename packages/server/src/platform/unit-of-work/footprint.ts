/**
 * The names of everything that a change reads and writes: `type/id` for a row, and claims for other rows. Changes whose
 * footprints conflict are not written by one statement.
 */
export class Footprint {
  readonly writes = new Set<string>()
  /** Names of counters. Any number of changes may increment or decrement them together. */
  readonly shares = new Set<string>()
  readonly reads = new Set<string>()

  /** Returns true if one writes a name that the other writes, shares or reads. */
  conflictsWith(other: Footprint): boolean {
    for (const name of this.writes)
      if (other.writes.has(name) || other.shares.has(name) || other.reads.has(name)) return true
    for (const name of this.shares) if (other.writes.has(name)) return true
    for (const name of this.reads) if (other.writes.has(name)) return true
    return false
  }

  add(other: Footprint): void {
    for (const name of other.writes) this.writes.add(name)
    for (const name of other.shares) this.shares.add(name)
    for (const name of other.reads) this.reads.add(name)
  }
}
