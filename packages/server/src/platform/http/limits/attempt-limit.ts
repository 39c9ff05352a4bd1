import { LRUCache } from 'lru-cache'
import { ApiError } from '../../kernel/errors.ts'
import type { LimitName } from './rate-limit.ts'

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
  { policy: name, counted, setting }: LimitName,
  monotonicMs: () => number = () => performance.now(),
): AttemptLimiter | null {
  if (most === 0) return null
  const windowMs = windowSeconds * 1000
  const policy = `"${name}";q=${most};w=${windowSeconds}`
  /** The times of the latest attempts, oldest first. */
  const clients = new LRUCache<string, number[]>({ max: maxClients })

  function refusal(freeAt: number, now: number, per: string): ApiError {
    const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1000))
    const headers = {
      'ratelimit-policy': policy,
      ratelimit: `"${name}";r=0;t=${retryAfter}`,
      'retry-after': String(retryAfter),
    }
    const params = {
      counted,
      per,
      setting,
      retry_after_seconds: retryAfter,
      limit: most,
      window_seconds: windowSeconds,
    }
    return new ApiError('rate_limited', params, { headers })
  }

  return {
    take(id, per) {
      const now = monotonicMs()
      const times = (clients.get(id) ?? []).filter((at) => now - at < windowMs)
      if (times.length >= most) throw refusal(times[0]! + windowMs, now, per)
      times.push(now)
      clients.set(id, times)
    },
  }
}
