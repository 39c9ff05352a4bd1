/** Longer than any queue that moves; shorter than clients are willing to wait. */
const patienceMs = 5_000

/**
 * Runs one thing at a time per key within this process. The database would also keep two writers of a row apart, by
 * failing the slower one; waiting here spares that retry when both are ours.
 */
export class KeyedMutex {
  /** The last in the queue of each key. */
  readonly #tails = new Map<string, Promise<void>>()

  /** Resolves to a function that releases `key`; to null when it was not free within 5 seconds. */
  async lock(key: string): Promise<(() => void) | null> {
    const before = this.#tails.get(key)
    let release!: () => void
    const mine = new Promise<void>((resolve) => {
      release = resolve
    })
    this.#tails.set(key, mine)
    const done = () => {
      if (this.#tails.get(key) === mine) this.#tails.delete(key)
      release()
    }
    if (!before) return done
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, patienceMs, true)
    })
    const gaveUp = await Promise.race([before, late])
    clearTimeout(timer)
    if (!gaveUp) return done
    void before.then(done) // those behind still wait for those before
    return null
  }
}
