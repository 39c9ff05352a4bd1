/** The seed of a random test: a new one in each run, printed with the result. BACKLINE_SEED=… repeats a run. */
export function seedOf(t: { diagnostic(message: string): void }): string {
  const seed = process.env.BACKLINE_SEED ?? String(Date.now())
  t.diagnostic(`BACKLINE_SEED=${seed}`)
  return seed
}

/**
 * The numbers of random cases: at least `least`, and more for `seconds`. BACKLINE_FUZZ_SECONDS=… runs longer,
 * BACKLINE_FUZZ_ONLY=… runs one case.
 */
export function* cases(least: number, seconds = 0): Generator<number> {
  const { BACKLINE_FUZZ_ONLY: only, BACKLINE_FUZZ_SECONDS: wanted } = process.env
  if (only) return yield Number(only)
  const end = performance.now() + Number(wanted ?? seconds) * 1000
  for (let i = 0; i < least || performance.now() < end; i++) yield i
}

/** A repeatable random generator: the same seed gives the same choices on every machine. */
export class Random {
  #state: number

  constructor(seed: string) {
    // FNV-1a, so that similar seeds give unrelated sequences.
    this.#state = 0x811c9dc5
    for (const byte of Buffer.from(seed)) this.#state = Math.imul(this.#state ^ byte, 0x01000193) >>> 0
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new Error('Nothing to pick from')
    return items[this.below(items.length)]!
  }
}
