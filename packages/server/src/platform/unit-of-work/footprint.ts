/**
 * The names of everything that a change reads and writes: `type/id` for a row, and claims for other rows. Changes whose
 * footprints conflict are not written by one transaction.
 */
export class Footprint {
  readonly writes = new Set<string>()
  /** Names of rows that several changes of a transaction may write: counters, due rows that keep an earlier time. */
  readonly shares = new Set<string>()
  readonly reads = new Set<string>()

  /** Returns true if one writes a name that the other writes, shares or reads. */
  conflictsWith(other: Footprint): boolean {
    return this.dependsOn(other) || !this.writes.isDisjointFrom(other.reads)
  }

  /** Must `earlier` be written before? This may write what `earlier` has read. */
  dependsOn({ writes, shares }: Footprint): boolean {
    return !(
      this.writes.isDisjointFrom(writes) &&
      this.writes.isDisjointFrom(shares) &&
      this.shares.isDisjointFrom(writes) &&
      this.reads.isDisjointFrom(writes)
    )
  }

  sharesWith(other: Footprint): boolean {
    return !this.shares.isDisjointFrom(other.shares)
  }

  add(other: Footprint): void {
    for (const name of other.writes) this.writes.add(name)
    for (const name of other.shares) this.shares.add(name)
    for (const name of other.reads) this.reads.add(name)
  }
}
