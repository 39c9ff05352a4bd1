/** Longer than any queue that makes progress, shorter than the timeouts of clients. */
const patienceMs = 5_000

/**
 * A mutex per key within this process. The database also separates two writers of a row, by failing the slower one.
 * Waiting here saves that retry if both are in one process.
 */
export class KeyedMutex {
  /** The last waiter of each key. */
  readonly #tails = new Map<string, Promise<void>>()

  /** Resolves to a function that releases `key`, or to null after 5 seconds. */
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
    void before.then(done) // later waiters still wait for earlier ones
    return null
  }
}
