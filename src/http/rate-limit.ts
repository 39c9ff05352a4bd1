import { ApiError } from '../lib/errors.ts'

export type RateLimit = { perSecond: number; burst: number }

/** A token bucket per API key, in this process. Null when the limit is switched off. */
export type RateLimiter = {
  /** `RateLimit-Policy`, the same for every answer. */
  policy: string
  /** Takes one token; answers the `RateLimit` header. @throws ApiError `rate_limited` */
  take(keyId: string): string
}

/** Buckets that have been full again for this long are forgotten. */
const sweepIntervalMs = 60_000

/** Headers after draft-ietf-httpapi-ratelimit-headers-10: quota `q` per window `w` seconds, `r` left, `t` until more. */
export function rateLimiter(
  limit: RateLimit,
  monotonicMs: () => number = () => performance.now(),
): RateLimiter | null {
  if (limit.perSecond === 0) return null
  const { perSecond, burst } = limit
  const windowSeconds = Math.ceil(burst / perSecond)
  const buckets = new Map<string, { tokens: number; at: number }>()
  let sweptAt = monotonicMs()

  function sweep(now: number) {
    if (now - sweptAt < sweepIntervalMs) return
    sweptAt = now
    for (const [id, bucket] of buckets) if (now - bucket.at > windowSeconds * 1000) buckets.delete(id)
  }

  return {
    policy: `"default";q=${burst};w=${windowSeconds}`,
    take(keyId) {
      const now = monotonicMs()
      sweep(now)
      const bucket = buckets.get(keyId) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond)
      const allowed = tokens >= 1
      const left = allowed ? tokens - 1 : tokens
      buckets.set(keyId, { tokens: left, at: now })
      const untilFull = Math.ceil((burst - left) / perSecond)
      const header = `"default";r=${Math.floor(left)};t=${untilFull}`
      if (allowed) return header
      const retryAfter = Math.max(1, Math.ceil((1 - left) / perSecond))
      throw new ApiError(
        'rate_limited',
        { retry_after_seconds: retryAfter, limit_per_second: perSecond, burst },
        { headers: { ratelimit: `"default";r=0;t=${retryAfter}`, 'retry-after': String(retryAfter) } },
      )
    },
  }
}
