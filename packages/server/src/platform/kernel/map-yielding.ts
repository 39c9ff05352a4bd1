import { setImmediate as yieldToOthers } from 'node:timers/promises'

/** Maps many items, each of which takes a while; the event loop does other work between two of them. */
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
