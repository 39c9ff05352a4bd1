import { type Instant, toInstant } from '../../platform/kernel/clock.ts'
import { typeId } from '../../platform/kernel/ids.ts'
import type { Principal } from '../../platform/unit-of-work/principal.ts'
import {
  findSessions,
  type SessionRecord,
  type SessionUse,
  touchSessions,
} from '../people/sessions/queries.ts'
import { hasShape, tenantOfToken } from '../vocabulary/credentials.ts'
import { invalidIdentity } from '../vocabulary/errors.ts'
import { principalOf } from '../vocabulary/principal.ts'
import { type AuthenticationDeps, credentialCache, touchIntervalMs } from './credential-cache.ts'
import { sessionLookups, sessionUses } from './session-batches.ts'

type Known = { record: SessionRecord; touchedAt: number }

export type TokenAuthentication = {
  /** @throws ApiError `identity_invalid`, `rate_limited` */
  authenticate(token: string, address: string): Promise<Principal>
  /** The session with this token, whether or not it can be used; null for none. @throws ApiError `rate_limited` */
  recognize(token: string, address: string): Promise<Principal | null>
  /** Invalidates the cache. */
  forget(): void
}

/** An end user has a few devices with a few pages each. */
const maxStreams = 20

/** Authenticates end-user tokens. A token names its environment. */
export function authenticateTokens({
  db,
  clock,
  unknownLimit,
  uses,
}: AuthenticationDeps): TokenAuthentication {
  const find = sessionLookups((tenantId, hashes) => findSessions(db.home(tenantId), tenantId, hashes))
  const noteUse = sessionUses<SessionUse>(
    (tenantId, uses, at) => touchSessions(db.home(tenantId), tenantId, uses, at),
    uses,
  )
  const cache = credentialCache<Known>(async (hash, token) => {
    const tenantId = tenantOfToken(token)
    const record = tenantId === null ? null : await find(tenantId, hash)
    return record && { record, touchedAt: record.lastUsedAt === null ? 0 : Date.parse(record.lastUsedAt) }
  }, unknownLimit)

  async function authenticate(token: string, address: string): Promise<Principal> {
    if (!hasShape('end_user_token', token)) throw invalidIdentity('malformed')
    const known = await cache.find(token, address)
    if (!known) throw invalidIdentity('unknown')
    const { record } = known
    const { environment, expiresAt } = record
    if (record.revokedAt || record.erasedAt) throw invalidIdentity('revoked')
    const nowMs = clock() + environment.clockOffsetMs
    const now = toInstant(nowMs)
    if (expiresAt <= now) throw invalidIdentity('expired')
    if (nowMs - known.touchedAt >= touchIntervalMs) {
      known.touchedAt = nowMs
      noteUse(environment.tenantId, record, now)
    }
    return toPrincipal(record, token, now)
  }
  return {
    authenticate,
    async recognize(token, address) {
      const known = hasShape('end_user_token', token) ? await cache.find(token, address) : null
      return known && toPrincipal(known.record, token, toInstant(clock()))
    },
    forget: cache.forget,
  }
}

function toPrincipal(record: SessionRecord, token: string, now: Instant): Principal {
  const { id, environment, endUserId, ownerId, conversationId, expiresAt } = record
  const publicId = typeId('eu', endUserId)
  return principalOf({
    environment,
    actor: { type: 'end_user', id: publicId, operator_id: null },
    credential: 'end_user_token',
    token,
    holderId: endUserId,
    countedAs: 'end_user',
    space: ownerId,
    seesVersions: false,
    streams: { most: maxStreams, endsAt: expiresAt },
    logged: { end_user_id: publicId },
    facts: {
      endUser: { id: endUserId, ownerId, sessionId: id, conversationId, isBlocked: isBlocked(record, now) },
    },
  })
}

const isBlocked = ({ blockedAt, blockedUntil }: SessionRecord, now: string): boolean =>
  blockedAt !== null && (blockedUntil === null || blockedUntil > now)
