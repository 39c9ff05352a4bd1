import { setImmediate as othersTurn } from 'node:timers/promises'

/**
 * A mutex per key within this process. The database also separates two writers of a row, by failing the slower one.
 * Queueing saves that retry if both are in one process.
 */
const tails = new Map<string, Promise<void>>()

/** Longer than any queue that makes progress, shorter than the timeouts of clients. */
const patienceMs = 5_000

/** Waits for the lock of `key` and returns the function that releases it. Null after 5 seconds. */
export async function lock(key: string): Promise<(() => void) | null> {
  const before = tails.get(key)
  let release!: () => void
  const mine = new Promise<void>((resolve) => {
    release = resolve
  })
  tails.set(key, mine)
  const done = () => {
    if (tails.get(key) === mine) tails.delete(key)
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

/** Maps many items and yields to the event loop in between. */
export async function mapYielding<Item, Result>(
  items: Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    await othersTurn()
  }
  return results
}
