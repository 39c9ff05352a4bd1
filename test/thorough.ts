/** True in `npm run test:system`, which repeats what `npm test` does once, and tries every variation on every route. */
export const isThorough = process.env.BACKLINE_THOROUGH === '1'

/** The number of repetitions. */
export const rounds = (thorough: number, short: number): number => (isThorough ? thorough : short)

const share = 4
let parts = 0

/**
 * Every fourth item, all of them if thorough: for suites that need many requests for each route. The next suite begins
 * with the next item.
 */
export function part<Item>(items: readonly Item[]): readonly Item[] {
  if (isThorough) return items
  const begin = parts++ % share
  return items.filter((_, i) => i % share === begin)
}

/**
 * Returns a function that takes turns: each call returns the next `count` items, cyclically, so that many calls cover
 * all. If thorough, each call returns all.
 */
export function turns(): <Item>(items: readonly Item[], count: number) => readonly Item[] {
  let next = 0
  return (items, count) => {
    if (isThorough || items.length <= count) return items
    const begin = next
    next += count
    return Array.from({ length: count }, (_, i) => items[(begin + i) % items.length]!)
  }
}
