const [onsets, vowels, codas] = [
  [...'bcdfghjklmnprstvwz'],
  [...'aeiou'],
  ['', '', '', 'n', 'r', 's', 'l', 't'],
]

/** Words of one to four syllables, possibly with duplicates. */
export const makeWords = (count: number, random: () => number): string[] =>
  Array.from({ length: count }, () => wordOf(random))

function wordOf(random: () => number): string {
  const oneOf = (parts: string[]) => parts[Math.floor(random() * parts.length)]!
  const syllables = Array.from(
    { length: 1 + Math.floor(random() * 4) },
    () => oneOf(onsets) + oneOf(vowels) + oneOf(codas),
  )
  return syllables.join('')
}

/** A random word with the distribution of a natural language: the n-th has a share of about 1/n (Zipf). */
export const unevenly = <Each>(all: Each[], random: () => number): Each =>
  all[Math.floor(all.length ** random()) - 1]!

/** Numbers from 0 to 1, the same in each run (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
