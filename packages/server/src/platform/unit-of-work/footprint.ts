/**
 * The names of everything that a change reads and writes: `type/id` for a row, and claims for other rows. Changes whose
 * footprints conflict are not written by one transaction.
 */
export class Footprint {
  readonly writes = new Set<string>()
  /** Those of `writes` that are rows of other resources. Transactions of other processes often lock them as well. */
  readonly claims = new Set<string>()
  /** Names of counters. Any number of changes may increment or decrement them together. */
  readonly shares = new Set<string>()
  readonly reads = new Set<string>()

  /** Returns true if one writes a name that the other writes, shares or reads. */
  conflictsWith(other: Footprint): boolean {
    if (this.dependsOn(other)) return true
    for (const name of this.writes) if (other.reads.has(name)) return true
    return false
  }

  /** Must `earlier` be written before? This may write what `earlier` has read. */
  dependsOn(earlier: Footprint): boolean {
    for (const name of this.writes) if (earlier.writes.has(name) || earlier.shares.has(name)) return true
    for (const name of this.shares) if (earlier.writes.has(name)) return true
    for (const name of this.reads) if (earlier.writes.has(name)) return true
    return false
  }

  add(other: Footprint): void {
    for (const name of other.writes) this.writes.add(name)
    for (const name of other.claims) this.claims.add(name)
    for (const name of other.shares) this.shares.add(name)
    for (const name of other.reads) this.reads.add(name)
  }
}
