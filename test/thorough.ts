/** `npm run test:system` repeats what `npm test` does once, and tries every variation on every route. */
export const isThorough = process.env.BACKLINE_THOROUGH === '1'

/** How often something is repeated. */
export const rounds = (thorough: number, short: number): number => (isThorough ? thorough : short)

/**
 * Takes turns: each call gives the next `count` of the items, and after the last the first again, so that many calls
 * see them all. Everything at once when thorough.
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
