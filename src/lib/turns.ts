/**
 * Runs one thing at a time per key within this process. The database would also keep two writers of a row
 * apart, by failing the slower one; queueing here spares that retry when both are ours.
 */
const tails = new Map<string, Promise<void>>()

/** Waits for the turn of `key`; call what it resolves to when done. */
export async function takeTurn(key: string): Promise<() => void> {
  const before = tails.get(key)
  let release!: () => void
  const mine = new Promise<void>((resolve) => {
    release = resolve
  })
  tails.set(key, mine)
  if (before) await before
  return () => {
    if (tails.get(key) === mine) tails.delete(key)
    release()
  }
}
