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

/** What the database knows of a presented key. */
export type KeyRecord = {
  id: string
  scopes: string[]
  environment: Environment
  /** When the key, or this former secret of a rotated key, stops to be valid. */
  expiresAt: Instant | null
  revokedAt: Instant | null
  allowedCidrs: string[]
  lastUsedAt: Instant | null
}

export type KeyStore = {
  find(secretHash: Buffer): Promise<KeyRecord | null>
  /** Notes the use of a key; called at most once a minute for each. */
  touch(record: KeyRecord, at: Instant): Promise<void>
}

/** A key that has passed authentication. */
export type PresentedKey = {
  record: KeyRecord
  token: string
  allows(scope: string): boolean
}

/** Half of the second within which a revocation must hold everywhere; the other half is for the look-up. */
const cacheMs = 500
const maxCached = 10_000
/** No key is ever made with the hash of one that was refused: keys are random. */
const refusedMs = 10_000
/**
 * Keys that look genuine and are unknown cost a query each. From one network so many are looked up; requests with
 * keys that this process knows are not affected.
 */
const unknownKeys: RateLimit = { perSecond: 50, burst: 200 }
const touchIntervalMs = 60_000

type Cached = { known: Promise<Known | null>; until: number }
type Known = { record: KeyRecord; scopes: Set<string>; addresses: BlockList | null; touchedAt: number }

export type Authenticate = {
  /** @throws ApiError `api_key_missing`, `api_key_invalid`, `api_key_expired`, `address_not_allowed`, `rate_limited` */
  (authorization: string | undefined, address: string): Promise<PresentedKey>
  /** Keys were changed by this process: what is remembered of them does not count any more. */
  forget(): void
}

export function authenticator(
  store: KeyStore,
  clock: Clock,
  onError: (error: unknown) => void,
): Authenticate {
  const cache = new LRUCache<string, Cached>({ max: maxCached })
  /** Hashes that no key has, and until when this is remembered. */
  const refused = new LRUCache<string, number>({ max: maxCached })
  const unknownKeyLimit = rateLimiter(unknownKeys, 'unknown-keys')!

  /** @throws ApiError `rate_limited` when too many unknown keys came from the network of this address */
  function lookUp(secretHash: Buffer, address: string): Promise<Known | null> {
    const id = secretHash.toString('latin1')
    const now = performance.now()
    const cached = cache.get(id)
    if (cached && cached.until > now) return cached.known
    if ((refused.get(id) ?? 0) > now) return unknown
    const network = networkOf(address)
    if (!cached) unknownKeyLimit.take(network) // until it is known to be a key
    const known = store.find(secretHash).then((record) => {
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
      looked.until = 0 // a failed look-up says nothing about the key
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
    const known = await lookUp(hash('sha256', token, 'buffer'), address)
    if (!known || known.record.revokedAt) throw unauthorized('api_key_invalid')
    const { record, scopes, addresses } = known
    const nowMs = clock() + record.environment.clockOffsetMs
    if (record.expiresAt && record.expiresAt <= toInstant(nowMs)) throw unauthorized('api_key_expired')
    if (addresses && !contains(addresses, address)) throw new ApiError('address_not_allowed', { address })
    noteUse(known, nowMs)
    return { record, token, allows: (scope) => covers(scopes, scope) }
  }
  const forget = () => {
    for (const cached of cache.values()) cached.until = 0 // that they are keys stays true
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
