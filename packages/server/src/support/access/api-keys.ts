import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import { toInstant } from '../../platform/kernel/clock.ts'
import { ApiError, unauthorized } from '../../platform/kernel/errors.ts'
import { typeId } from '../../platform/kernel/ids.ts'
import { addressList, contains } from '../../platform/kernel/networks.ts'
import { covers } from '../../platform/resource/scopes.ts'
import type { Principal } from '../../platform/unit-of-work/principal.ts'
import { findKeyBySecret, type KeyRecord, touchApiKey } from '../admin/api-keys/queries.ts'
import { hasShape } from '../vocabulary/credentials.ts'
import { invalidIdentity } from '../vocabulary/errors.ts'
import { principalOf } from '../vocabulary/principal.ts'
import { type AuthenticationDeps, credentialCache, touchIntervalMs } from './credential-cache.ts'

type Known = { record: KeyRecord; scopes: Set<string>; addresses: BlockList | null; touchedAt: number }

export type KeyAuthentication = {
  /**
   * @throws ApiError `api_key_invalid`, `api_key_expired`, `identity_invalid`, `address_not_allowed`, `rate_limited`
   */
  authenticate(
    credential: 'secret_key' | 'publishable_key',
    token: string,
    address: string,
  ): Promise<Principal>
  /** The key with this text, whether or not it can be used; null for an unknown one. @throws ApiError `rate_limited` */
  recognize(
    credential: 'secret_key' | 'publishable_key',
    token: string,
    address: string,
  ): Promise<Principal | null>
  /** Invalidates the cache. */
  forget(): void
}

/** Authenticates secret and publishable keys. */
export function authenticateKeys({ db, clock, unknownLimit, uses }: AuthenticationDeps): KeyAuthentication {
  const cache = credentialCache<Known>(async (hash) => {
    const record = await findKeyBySecret(db.forKeys, hash)
    return record && toKnown(record)
  }, unknownLimit)

  async function authenticate(
    credential: 'secret_key' | 'publishable_key',
    token: string,
    address: string,
  ): Promise<Principal> {
    const refuse = credential === 'secret_key' ? refusedKey : invalidIdentity
    if (!hasShape(credential, token)) throw refuse('malformed')
    const known = await cache.find(token, address)
    if (!known) throw refuse('unknown')
    const { record, addresses } = known
    const { id, environment } = record
    if (record.revokedAt) throw refuse('revoked')
    const nowMs = clock() + environment.clockOffsetMs
    if (record.expiresAt && record.expiresAt <= toInstant(nowMs)) throw refuse('expired')
    if (addresses && !contains(addresses, address)) throw new ApiError('address_not_allowed', { address })
    if (nowMs - known.touchedAt >= touchIntervalMs) {
      known.touchedAt = nowMs
      void uses.round(() => touchApiKey(db, environment.tenantId, id, toInstant(nowMs)))
    }
    return toPrincipal(known, credential, token, address)
  }
  return {
    authenticate,
    async recognize(credential, token, address) {
      const known = hasShape(credential, token) ? await cache.find(token, address) : null
      return known && toPrincipal(known, credential, token, address)
    },
    forget: cache.forget,
  }
}

function toPrincipal(
  { record, scopes }: Known,
  credential: 'secret_key' | 'publishable_key',
  token: string,
  address: string,
): Principal {
  const { id, environment } = record
  const isPublic = credential === 'publishable_key'
  return principalOf({
    environment,
    actor: { type: 'api_key', id: typeId('key', id), operator_id: null },
    credential,
    token,
    holderId: id,
    countedAs: 'api_key',
    allows: (scope) => !isPublic && covers(scopes, scope),
    // A publishable key is public, so that its keys are those of a client address, which no table needs to contain.
    space: isPublic ? `${id} ${hash('sha256', `${id} ${address}`)}` : null,
    logged: { key_id: typeId('key', id) },
    facts: { allowedOrigins: record.allowedOrigins },
  })
}

const toKnown = (record: KeyRecord): Known => ({
  record,
  scopes: new Set(record.scopes),
  addresses: record.allowedCidrs.length > 0 ? addressList(record.allowedCidrs) : null,
  touchedAt: record.lastUsedAt === null ? 0 : Date.parse(record.lastUsedAt),
})

const refusedKey = (reason: 'malformed' | 'unknown' | 'expired' | 'revoked') =>
  unauthorized(reason === 'expired' ? 'api_key_expired' : 'api_key_invalid')
