import { ApiError } from '../../kernel/errors.ts'

/** Names a limit in its refusals, which say what it counts and which setting it is. */
export type LimitName = {
  /** Its name in `RateLimit-Policy`. */
  policy: string
  /** The name of the things that it counts: `params.counted`. */
  counted: string
  /** The setting that changes it; null if none does. */
  setting: string | null
}

/** `RateLimit-Policy` of draft-ietf-httpapi-ratelimit-headers-10: quota `q` per window `w` seconds. */
export const policyOf = (name: string, quota: number, windowSeconds: number): string =>
  `"${name}";q=${quota};w=${windowSeconds}`

/** The refusal of what exceeds a limit. @param limit its numbers, for `params` */
export function exceeded(
  { policy: name, counted, setting }: LimitName,
  policy: string,
  per: string,
  freeInSeconds: number,
  limit: Record<string, number>,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil(freeInSeconds))
  const headers = {
    'ratelimit-policy': policy,
    ratelimit: `"${name}";r=0;t=${retryAfter}`,
    'retry-after': String(retryAfter),
  }
  const params = { counted, per, setting, retry_after_seconds: retryAfter, ...limit }
  return new ApiError('rate_limited', params, { headers })
}

export type RateLimit = { perSecond: number; burst: number }

/** Token buckets in this process, one per id, such as an API key. Null if the limit is disabled. */
export type RateLimiter = {
  /** `RateLimit-Policy`, the same for every response. */
  policy: string
  /**
   * Takes one token and returns the `RateLimit` header.
   * @param per what the id is, in the refusal: `params.per`
   * @throws ApiError `rate_limited`
   */
  take(id: string, per: string): string
  /** Returns the token of a request that does not count. */
  giveBack(id: string): void
}

/** Buckets that have been full for this long are deleted. */
const sweepIntervalMs = 60_000

/** `RateLimit` of the same draft has `r` left and `t` seconds until more. */
export function rateLimiter(
  limit: RateLimit,
  name: LimitName,
  monotonicMs: () => number = () => performance.now(),
): RateLimiter | null {
  if (limit.perSecond === 0) return null
  const { perSecond, burst } = limit
  const windowSeconds = Math.ceil(burst / perSecond)
  const policy = policyOf(name.policy, burst, windowSeconds)
  const buckets = new Map<string, { tokens: number; at: number }>()
  let sweptAt = monotonicMs()

  function sweep(now: number) {
    if (now - sweptAt < sweepIntervalMs) return
    sweptAt = now
    for (const [id, bucket] of buckets) if (now - bucket.at > windowSeconds * 1000) buckets.delete(id)
  }

  function tokensOf(id: string, now: number): number {
    const bucket = buckets.get(id)
    return bucket ? Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond) : burst
  }

  return {
    policy,
    take(id, per) {
      const now = monotonicMs()
      sweep(now)
      const tokens = tokensOf(id, now)
      if (tokens < 1)
        throw exceeded(name, policy, per, (1 - tokens) / perSecond, { limit_per_second: perSecond, burst })
      const left = tokens - 1
      buckets.set(id, { tokens: left, at: now })
      return `"${name.policy}";r=${Math.floor(left)};t=${Math.ceil((burst - left) / perSecond)}`
    },
    giveBack(id) {
      const now = monotonicMs()
      buckets.set(id, { tokens: Math.min(burst, tokensOf(id, now) + 1), at: now })
    },
  }
}
