import { setImmediate as yieldToOthers } from 'node:timers/promises'

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
