import { Counts } from '../../kernel/counts.ts'

/** A number of places that several transfers share, such as those of one environment. */
export type Share = { name: string; most: number }

/** A transfer that can end when another one needs its place. */
export type Endable = {
  /** Whom it belongs to, from the largest owner to the smallest. */
  owners: string[]
  /** Bytes per second so far. */
  pace(): number
  /** Called when its place is taken from it. */
  end(): void
}

/** The transfers of this process that are under way. */
export type Places = {
  /**
   * Takes a place in each share. If a share is full, there is no place, except in a common share: there the slowest
   * transfer of the fullest owner ends, if that owner has more places than this transfer's owner would have.
   * @returns the function that releases the places; null if there is none
   */
  enter(own: Share[], common?: Share[], transfer?: Endable): (() => void) | null
}

type Entry = Endable & { shares: Set<string>; leave(): void }

const unendable: Endable = { owners: [], pace: () => 0, end: () => undefined }

export function openPlaces(): Places {
  const counts = new Counts()
  const entries = new Set<Entry>()
  const isFull = ({ name, most }: Share) => counts.of(name) >= most
  const change = (names: Iterable<string>, by: number) => {
    for (const name of names) counts.add(name, by)
  }
  return {
    enter(own, common = [], transfer = unendable) {
      if (own.some(isFull)) return null
      const full = common.filter(isFull)
      if (full.length > 0) {
        const inAll = [...entries].filter(({ shares }) => full.every(({ name }) => shares.has(name)))
        const ended = toEnd(inAll, transfer.owners)
        if (!ended) return null
        ended.leave()
        ended.end()
      }
      const shares = new Set([...own, ...common].map(({ name }) => name))
      const entry: Entry = {
        ...transfer,
        shares,
        leave() {
          if (entries.delete(entry)) change(shares, -1)
        },
      }
      entries.add(entry)
      change(shares, 1)
      return entry.leave
    },
  }
}

/**
 * The transfer that ends for one of these owners: of the largest owners that have more places, one that has at least
 * two more. With one more, two owners would take the last place from each other in turn.
 */
function toEnd(entries: Entry[], owners: string[]): Entry | null {
  let rest = entries
  for (const [level, owner] of owners.entries()) {
    const mine = rest.filter((each) => each.owners[level] === owner)
    const fullest = ofFullest(rest, level)
    if (fullest.length > mine.length + 1) {
      const smallest = owners.slice(level + 1).reduce((some, _, i) => ofFullest(some, level + 1 + i), fullest)
      return smallest.reduce((one, other) => (other.pace() < one.pace() ? other : one))
    }
    rest = mine
  }
  return null
}

/** The transfers of the owner who has most of them. */
function ofFullest(entries: Entry[], level: number): Entry[] {
  const groups = [...Map.groupBy(entries, ({ owners }) => owners[level]).values()]
  return groups.reduce((one, other) => (other.length > one.length ? other : one), [])
}
