import { setImmediate as othersTurn } from 'node:timers/promises'

/**
 * Runs one thing at a time per key within this process. The database would also keep two writers of a row
 * apart, by failing the slower one; queueing here spares that retry when both are ours.
 */
const tails = new Map<string, Promise<void>>()

/** Longer than any queue that moves; shorter than clients are willing to wait. */
const patienceMs = 5_000

/** Waits for the turn of `key`; call what it resolves to when done. Null when the turn did not come in 5 seconds. */
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
  void before.then(done) // those behind still wait for those before
  return null
}

/** Maps many items, each of which takes a while; in between the event loop does what else there is. */
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
