import type { Pace } from '../kinds.ts'

/** The time that a part should take, in milliseconds: other environments wait no longer for their turn. */
const aimMs = 120

/** The number of objects of the next part: as many as fit in the time, and fewer after a conflict. */
export function sizeAt(size: number, { conflicts, lastMs }: Pace, most: number): number {
  if (conflicts > 0) return Math.max(1, Math.floor(size / 2))
  if (lastMs === null) return size
  return Math.max(1, Math.min(most, Math.round(size * Math.min(2, Math.max(0.5, aimMs / lastMs)))))
}
