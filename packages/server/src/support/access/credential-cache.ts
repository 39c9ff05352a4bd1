import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { RateLimiter } from '../../platform/http/limits/rate-limit.ts'
import type { Loop } from '../../platform/jobs/loops.ts'
import type { Clock } from '../../platform/kernel/clock.ts'
import { networkOf } from '../../platform/kernel/networks.ts'
import type { Database } from '../../platform/postgres/database.ts'

/** A revocation takes effect everywhere within a second: half of it is for the cache, half for the query. */
const cacheMs = 500
const maxCached = 10_000
/** A new credential never has the hash of a rejected one, because credentials are random. */
const refusedMs = 10_000

/** The dependencies of the authentication of each kind of credential. */
export type AuthenticationDeps = {
  db: Database
  clock: Clock
  /** Limits lookups of unknown credentials per network. */
  unknownLimit: RateLimiter
  /** Writes the times of uses. */
  uses: Loop
}

/** The use of a credential is written at most this often. */
export const touchIntervalMs = 60_000

type Cached<Known> = { known: Promise<Known | null>; until: number }

/** Credentials of one kind, found by the SHA-256 of their text. */
export type CredentialCache<Known> = {
  /** @throws ApiError `rate_limited` if too many unknown credentials came from the network of this address */
  find(text: string, address: string): Promise<Known | null>
  /** The next request with each credential looks it up again. */
  forget(): void
}

/** @param unknownLimit limits lookups of unknown credentials per network; those in the cache are not affected */
export function credentialCache<Known extends object>(
  lookUp: (hash: Buffer, text: string) => Promise<Known | null>,
  unknownLimit: RateLimiter,
): CredentialCache<Known> {
  const cache = new LRUCache<string, Cached<Known>>({ max: maxCached })
  /** Hashes that no credential has, with the expiry of this knowledge. */
  const refused = new LRUCache<string, number>({ max: maxCached })

  return {
    find(text, address) {
      const id = hash('sha256', text, 'latin1')
      const now = performance.now()
      const cached = cache.get(id)
      if (cached && cached.until > now) return cached.known
      if ((refused.get(id) ?? 0) > now) return unknown
      const network = networkOf(address)
      if (!cached) unknownLimit.take(network, 'network') // returned if the credential exists
      const known = lookUp(Buffer.from(id, 'latin1'), text).then((found) => {
        if (!found) {
          cache.delete(id)
          refused.set(id, now + refusedMs)
          return null
        }
        if (!cached) unknownLimit.giveBack(network)
        return found
      })
      const looked = { known, until: now + cacheMs }
      known.catch(() => {
        looked.until = 0 // a failed query proves nothing about the credential
        if (cached) return
        cache.delete(id)
        unknownLimit.giveBack(network)
      })
      cache.set(id, looked)
      return known
    },
    forget() {
      for (const cached of cache.values()) cached.until = 0 // the credentials still exist
    },
  }
}

const unknown = Promise.resolve(null)
