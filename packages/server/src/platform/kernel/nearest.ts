import { editDistance } from './edit-distance.ts'

/** The most similar known name, if at most a third of the name differs. */
export function nearest(name: string, known: string[]): string | null {
  if (name.length > 60) return null
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}
