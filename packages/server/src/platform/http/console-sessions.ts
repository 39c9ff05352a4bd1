import { type Clock, type Instant, toInstant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { ApiError } from '../kernel/errors.ts'
import { hasShape } from '../kernel/key-format.ts'
import { tokenInCookie } from './console-cookies.ts'
import { type ConsoleClaim, consoleSessionInvalid, requireOwnOrigin } from './console-requests.ts'
import { credentialCache } from './credential-cache.ts'
import type { RateLimiter } from './limits/rate-limit.ts'
import { sessionUses } from './sessions.ts'

/** A stored session of an operator in one environment. */
export type ConsoleRecord = {
  id: string
  environment: Environment
  operator: { id: string; name: string; email: string; role: string }
  isArchived: boolean
  expiresAt: Instant
  revokedAt: Instant | null
  lastUsedAt: Instant
  /** The scopes of the role of the operator. */
  scopes: readonly string[]
  allows(scope: string): boolean
}

export type ConsoleStore = {
  /** The session with a token in the environment of this kind. */
  find(kind: Environment['kind'], token: string): Promise<ConsoleRecord | null>
  /** Records the times of uses, which are no changes. */
  touch(tenantId: string, uses: { id: string }[], at: Instant): Promise<void>
}

/** A session ends this long after its last request. */
const idleMs = 12 * 3_600_000
const touchIntervalMs = 60_000

export type ConsoleAuthenticate = {
  /**
   * @param isUse true for a request, from which the 12 hours count again
   * @throws ApiError `console_session_invalid`, `origin_not_allowed`, `bad_request`, `rate_limited`
   */
  (claim: ConsoleClaim, address: string, isUse: boolean): Promise<{ record: ConsoleRecord; token: string }>
  /** The session with a token in the environment of this kind; null unless it can be used. Not a use. */
  find(kind: Environment['kind'], token: string, address: string): Promise<ConsoleRecord | null>
  /** Invalidates the cache. */
  forget(): void
}

/** Sessions live in real time: a test clock that moves signs nobody out. */
export function consoleAuthenticator(
  store: ConsoleStore,
  { clock, publicUrl, unknownLimit }: { clock: Clock; publicUrl: string; unknownLimit: RateLimiter },
  onError: (error: unknown) => void,
): ConsoleAuthenticate {
  const noteUse = sessionUses(store.touch, onError)
  const cache = credentialCache<Known>(async (_hash, text) => {
    const [kind, token] = text.split(' ') as [Environment['kind'], string]
    const record = await store.find(kind, token)
    return record && { record, usedAt: Date.parse(record.lastUsedAt) }
  }, unknownLimit)

  const authenticate = async (claim: ConsoleClaim, address: string, isUse: boolean) => {
    requireOwnOrigin(claim, publicUrl)
    const kind = claim.environment
    if (kind !== 'live' && kind !== 'test')
      throw new ApiError('bad_request', {}, { detail: 'Backline-Console must be live or test.' })
    const token = tokenInCookie(claim.cookie, publicUrl)
    if (token === null) throw consoleSessionInvalid('missing')
    if (!hasShape('console_token', token)) throw consoleSessionInvalid('malformed')
    const known = await cache.find(`${kind} ${token}`, address)
    if (!known) throw consoleSessionInvalid('unknown')
    const { record } = known
    const { id, environment } = record
    const nowMs = clock()
    const fault = faultOf(known, nowMs)
    if (fault) throw consoleSessionInvalid(fault)
    if (isUse && nowMs - known.usedAt >= touchIntervalMs) {
      known.usedAt = nowMs
      noteUse(environment.tenantId, { id }, toInstant(nowMs))
    }
    return { record, token }
  }
  const find: ConsoleAuthenticate['find'] = async (kind, token, address) => {
    const known = hasShape('console_token', token) ? await cache.find(`${kind} ${token}`, address) : null
    return known && faultOf(known, clock()) === null ? known.record : null
  }
  return Object.assign(authenticate, { find, forget: cache.forget })
}

type Known = { record: ConsoleRecord; usedAt: number }

/** The reason why a session cannot be used; null if it can. */
function faultOf({ record, usedAt }: Known, nowMs: number): 'revoked' | 'expired' | null {
  const { revokedAt, isArchived, expiresAt } = record
  if (revokedAt !== null || isArchived) return 'revoked'
  return expiresAt <= toInstant(nowMs) || nowMs - usedAt >= idleMs ? 'expired' : null
}
