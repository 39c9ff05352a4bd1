/** Random numbers that depend on a seed only. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  next(): number
  /** True with this probability. */
  chance(probability: number): boolean
  between(least: number, most: number): number
  pick<Value>(values: readonly Value[]): Value
  /** A key, by its weight. */
  weighted<Key extends string>(weights: Record<Key, number>): Key
}

/** mulberry32, https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function randomOf(seed: string): Random {
  let state = hashOf(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let z = Math.imul(state ^ (state >>> 15), 1 | state)
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (values) => values[between(0, values.length - 1)]!,
    weighted(weights) {
      const entries = Object.entries<number>(weights)
      let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      const found = entries.find(([, weight]) => {
        rest -= weight
        return rest < 0
      })
      return (found ?? entries.at(-1)!)[0] as keyof typeof weights
    },
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return hash
}
