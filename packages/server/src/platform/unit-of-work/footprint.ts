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
  /**
   * Names of rows that several changes of one statement may write: items merged by their part (plan.ts), or due rows
   * that keep an earlier time.
   */
  readonly merges = new Set<string>()
  readonly reads = new Set<string>()

  /** Returns true if one writes a name that the other writes, shares, merges or reads. */
  conflictsWith(other: Footprint): boolean {
    if (this.dependsOn(other)) return true
    for (const name of this.writes) if (other.reads.has(name)) return true
    for (const name of this.merges) if (other.reads.has(name)) return true
    return false
  }

  /** Must `earlier` be written before? This may write what `earlier` has read. */
  dependsOn(earlier: Footprint): boolean {
    const { writes, shares, merges } = earlier
    for (const name of this.writes) if (writes.has(name) || shares.has(name) || merges.has(name)) return true
    for (const name of this.shares) if (writes.has(name) || merges.has(name)) return true
    for (const name of this.merges) if (writes.has(name) || shares.has(name)) return true
    for (const name of this.reads) if (writes.has(name) || merges.has(name)) return true
    return false
  }

  /** Returns true if both change one counter or one merged row. */
  locksSameRowsAs(other: Footprint): boolean {
    return !this.shares.isDisjointFrom(other.shares) || this.mergesWith(other)
  }

  mergesWith(other: Footprint): boolean {
    return !this.merges.isDisjointFrom(other.merges)
  }

  add(other: Footprint): void {
    for (const name of other.writes) this.writes.add(name)
    for (const name of other.claims) this.claims.add(name)
    for (const name of other.shares) this.shares.add(name)
    for (const name of other.merges) this.merges.add(name)
    for (const name of other.reads) this.reads.add(name)
  }
}
