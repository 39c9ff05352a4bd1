import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import { LRUCache } from 'lru-cache'
import { type Clock, type Instant, toInstant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { ApiError } from '../kernel/errors.ts'
import { hasKeyShape } from '../kernel/key-format.ts'
import { addressList, contains, networkOf } from '../kernel/networks.ts'
import { covers } from '../resource/scopes.ts'
import { type RateLimit, rateLimiter } from './rate-limit.ts'

/** A stored API key. */
export type KeyRecord = {
  id: string
  scopes: string[]
  environment: Environment
  /** The expiry time of the key, or of the previous secret of a rotated key. */
  expiresAt: Instant | null
  revokedAt: Instant | null
  allowedCidrs: string[]
  lastUsedAt: Instant | null
}

export type KeyStore = {
  find(secretHash: Buffer): Promise<KeyRecord | null>
  /** Records the use of a key, at most once a minute per key. */
  touch(record: KeyRecord, at: Instant): Promise<void>
}

/** A key that has passed authentication. */
export type PresentedKey = {
  record: KeyRecord
  token: string
  allows(scope: string): boolean
}

/** A revocation takes effect everywhere within a second: half of it is for the cache, half for the query. */
const cacheMs = 500
const maxCached = 10_000
/** A new key never has the hash of a rejected one, because keys are random. */
const refusedMs = 10_000
/**
 * Unknown keys with a valid checksum cost a query each. This limits their lookups per network; requests with cached
 * keys are not affected.
 */
const unknownKeys: RateLimit = { perSecond: 50, burst: 200 }
const touchIntervalMs = 60_000

type Cached = { known: Promise<Known | null>; until: number }
type Known = { record: KeyRecord; scopes: Set<string>; addresses: BlockList | null; touchedAt: number }

export type Authenticate = {
  /** @throws ApiError `api_key_missing`, `api_key_invalid`, `api_key_expired`, `address_not_allowed`, `rate_limited` */
  (authorization: string | undefined, address: string): Promise<PresentedKey>
  /** Invalidates the cache after this process has changed keys. */
  forget(): void
}

export function authenticator(
  store: KeyStore,
  clock: Clock,
  onError: (error: unknown) => void,
): Authenticate {
  const cache = new LRUCache<string, Cached>({ max: maxCached })
  /** Hashes that no key has, with the expiry of this knowledge. */
  const refused = new LRUCache<string, number>({ max: maxCached })
  const unknownKeyLimit = rateLimiter(unknownKeys, 'unknown-keys')!

  /**
   * @param id the SHA-256 of a key as latin1
   * @throws ApiError `rate_limited` if too many unknown keys came from the network of this address
   */
  function lookUp(id: string, address: string): Promise<Known | null> {
    const now = performance.now()
    const cached = cache.get(id)
    if (cached && cached.until > now) return cached.known
    if ((refused.get(id) ?? 0) > now) return unknown
    const network = networkOf(address)
    if (!cached) unknownKeyLimit.take(network) // returned if the key exists
    const known = store.find(Buffer.from(id, 'latin1')).then((record) => {
      if (!record) {
        cache.delete(id)
        refused.set(id, now + refusedMs)
        return null
      }
      if (!cached) unknownKeyLimit.giveBack(network)
      return toKnown(record)
    })
    const looked = { known, until: now + cacheMs }
    known.catch(() => {
      looked.until = 0 // a failed query proves nothing about the key
      if (cached) return
      cache.delete(id)
      unknownKeyLimit.giveBack(network)
    })
    cache.set(id, looked)
    return known
  }

  function noteUse(known: Known, nowMs: number): void {
    if (nowMs - known.touchedAt < touchIntervalMs) return
    known.touchedAt = nowMs
    store.touch(known.record, toInstant(nowMs)).catch(onError)
  }

  const authenticate = async (authorization: string | undefined, address: string): Promise<PresentedKey> => {
    const token = bearerToken(authorization)
    if (!hasKeyShape(token)) throw unauthorized('api_key_invalid')
    const known = await lookUp(hash('sha256', token, 'latin1'), address)
    if (!known || known.record.revokedAt) throw unauthorized('api_key_invalid')
    const { record, scopes, addresses } = known
    const nowMs = clock() + record.environment.clockOffsetMs
    if (record.expiresAt && record.expiresAt <= toInstant(nowMs)) throw unauthorized('api_key_expired')
    if (addresses && !contains(addresses, address)) throw new ApiError('address_not_allowed', { address })
    noteUse(known, nowMs)
    return { record, token, allows: (scope) => covers(scopes, scope) }
  }
  const forget = () => {
    for (const cached of cache.values()) cached.until = 0 // the keys still exist
  }
  return Object.assign(authenticate, { forget })
}

const unknown = Promise.resolve(null)

const toKnown = (record: KeyRecord): Known => ({
  record,
  scopes: new Set(record.scopes),
  addresses: record.allowedCidrs.length > 0 ? addressList(record.allowedCidrs) : null,
  touchedAt: record.lastUsedAt ? Date.parse(record.lastUsedAt) : 0,
})

function bearerToken(authorization: string | undefined): string {
  const match = /^Bearer +(\S+) *$/i.exec(authorization ?? '')
  if (!match) throw unauthorized('api_key_missing')
  return match[1]!
}

export const unauthorized = (code: 'api_key_missing' | 'api_key_invalid' | 'api_key_expired') =>
  new ApiError(code, {}, { headers: { 'www-authenticate': 'Bearer' } })
