import { LRUCache } from 'lru-cache'
import { exceeded, type LimitName, policyOf } from './rate-limit.ts'

export type AttemptLimits = { most: number; windowSeconds: number }

/** Limits the number of attempts of each client in any period of the length of the window, in this process. */
export type AttemptLimiter = {
  /** Counts an attempt, whether it succeeds or not. @throws ApiError `rate_limited`, which does not count */
  take(id: string, per: string): void
}

/** Windows of further clients replace the ones unused for longest, so that memory is bounded. */
const maxClients = 20_000

/** Null if the limit is 0. */
export function attemptLimiter(
  { most, windowSeconds }: AttemptLimits,
  name: LimitName,
  monotonicMs: () => number = () => performance.now(),
): AttemptLimiter | null {
  if (most === 0) return null
  const windowMs = windowSeconds * 1000
  const policy = policyOf(name.policy, most, windowSeconds)
  /** The times of the latest attempts, oldest first. */
  const clients = new LRUCache<string, number[]>({ max: maxClients })

  return {
    take(id, per) {
      const now = monotonicMs()
      const times = (clients.get(id) ?? []).filter((at) => now - at < windowMs)
      if (times.length >= most) {
        const freeInSeconds = (times[0]! + windowMs - now) / 1000
        throw exceeded(name, policy, per, freeInSeconds, { limit: most, window_seconds: windowSeconds })
      }
      times.push(now)
      clients.set(id, times)
    },
  }
}
