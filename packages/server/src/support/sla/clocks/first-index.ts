/** The index of the first item that meets a condition which all later items meet too; the length if none does. */
export function firstIndex<Item>(items: readonly Item[], meets: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (meets(items[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
