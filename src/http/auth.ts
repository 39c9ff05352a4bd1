import { hash } from 'node:crypto'
import type { BlockList } from 'node:net'
import type { Environment } from '../context.ts'
import { type Clock, type Instant, toInstant } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { hasKeyShape } from '../lib/key-format.ts'
import { addressList, contains } from '../lib/networks.ts'
import { covers } from '../lib/scopes.ts'

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
const touchIntervalMs = 60_000

type Cached = { known: Promise<Known | null>; until: number }
type Known = { record: KeyRecord; scopes: Set<string>; addresses: BlockList | null; touchedAt: number }

export type Authenticate = {
  /** @throws ApiError `api_key_missing`, `api_key_invalid`, `api_key_expired`, `address_not_allowed` */
  (authorization: string | undefined, address: string): Promise<PresentedKey>
  /** Keys were changed by this process: what is remembered of them does not count any more. */
  forget(): void
}

export function authenticator(
  store: KeyStore,
  clock: Clock,
  onError: (error: unknown) => void,
): Authenticate {
  const cache = new Map<string, Cached>()

  function lookUp(secretHash: Buffer): Promise<Known | null> {
    const id = secretHash.toString('latin1')
    const now = performance.now()
    const cached = cache.get(id)
    if (cached && cached.until > now) return cached.known
    if (cache.size >= maxCached) cache.clear()
    const known = store.find(secretHash).then((record) => (record ? toKnown(record) : null))
    known.catch(() => cache.delete(id)) // a failed look-up says nothing about the key
    cache.set(id, { known, until: now + cacheMs })
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
    const known = await lookUp(hash('sha256', token, 'buffer'))
    if (!known || known.record.revokedAt) throw unauthorized('api_key_invalid')
    const { record, scopes, addresses } = known
    const nowMs = clock() + record.environment.clockOffsetMs
    if (record.expiresAt && record.expiresAt <= toInstant(nowMs)) throw unauthorized('api_key_expired')
    if (addresses && !contains(addresses, address)) throw new ApiError('address_not_allowed', { address })
    noteUse(known, nowMs)
    return { record, token, allows: (scope) => covers(scopes, scope) }
  }
  return Object.assign(authenticate, { forget: () => cache.clear() })
}

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
