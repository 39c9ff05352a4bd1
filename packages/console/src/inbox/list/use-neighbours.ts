import { useEffect, useRef } from 'react'

/**
 * The rows beside the current one. If it has left the list, they are those that were beside it: whoever goes on after
 * an answer comes to the row that followed.
 */
export function useNeighbours(items: { id: string }[], currentId: string | null) {
  const ids = items.map(({ id }) => id)
  const lastIds = useRef<string[]>([])
  const at = currentId === null ? -1 : ids.indexOf(currentId)
  useEffect(() => {
    if (at >= 0) lastIds.current = ids
  })
  /** The place of the current row, or of the one that followed it. */
  const place = () => {
    if (at >= 0 || currentId === null) return Math.max(at, 0)
    const following = lastIds.current.slice(lastIds.current.indexOf(currentId) + 1)
    const next = following.find((id) => ids.includes(id))
    return next === undefined ? ids.length : ids.indexOf(next)
  }
  const idAt = (index: number): string | null => ids[Math.min(Math.max(index, 0), ids.length - 1)] ?? null
  return {
    /** The id of the current row (0), the next (1) or the one before (-1); null without rows. */
    neighbour: (by: -1 | 0 | 1) => idAt(place() + (by === 1 && at < 0 ? 0 : by)),
    /** The id of the row that follows; null after the last one. */
    following: (): string | null => ids[place() + (at < 0 ? 0 : 1)] ?? null,
    /** The id of the row that the Tab key reaches. */
    tabStop: idAt(place()),
  }
}
