import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises'

/** Resolves after `ms`, or at once when the signal aborts. The timer does not keep the process alive. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)

/** Maps many items and yields to the event loop in between. */
export async function mapYielding<Item, Result>(
  items: Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(map(item))
    await yieldToOthers()
  }
  return results
}
