/** True in `npm run test:system`, which repeats what `npm test` does once, and tries every variation on every route. */
export const isThorough = process.env.BACKLINE_THOROUGH === '1'

/** The number of repetitions. */
export const rounds = (thorough: number, short: number): number => (isThorough ? thorough : short)

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
