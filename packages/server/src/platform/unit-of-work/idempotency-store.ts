import { LRUCache } from 'lru-cache'
import { ApiError } from '../kernel/errors.ts'
import type { Db } from '../postgres/database.ts'
import { findKey, type StoredKey } from './idempotency-keys.ts'
import type { Idempotency } from './request.ts'

/** Entries of about 150 bytes. Retries come within seconds, so that few entries suffice. */
const maxKnown = 10_000

/**
 * The responses stored under idempotency keys, and a cache of the keys that this process has seen stored. A request
 * with a cached key is answered without a write attempt; for other keys, the write itself detects the conflict.
 */
export class IdempotencyStore {
  readonly #known: LRUCache<string, true> | null

  /** @param remembers false: each retry attempts its write first */
  constructor({ remembers = true }: { remembers?: boolean } = {}) {
    this.#known = remembers ? new LRUCache({ max: maxKnown }) : null
  }

  /** Returns true if this process has seen the key stored. */
  isKnown(tenantId: string, { key }: Idempotency): boolean {
    return this.#known?.has(`${tenantId}/${key}`) === true
  }

  /** Records that the key is stored. */
  learn(tenantId: string, { key }: Idempotency): void {
    this.#known?.set(`${tenantId}/${key}`, true)
  }

  /**
   * Returns the response that is stored under a key; null if there is none.
   * @throws ApiError `idempotency_key_reused` if a different request used the key
   */
  async find(db: Db, tenantId: string, idempotency: Idempotency): Promise<StoredKey | null> {
    const stored = await findKey(db, tenantId, idempotency.key)
    if (!stored) return null
    this.learn(tenantId, idempotency)
    if (!stored.fingerprint.equals(idempotency.fingerprint))
      throw new ApiError('idempotency_key_reused', { original_request_id: stored.requestId })
    const { hasEvent, ...response } = stored
    if (hasEvent && response.body === null)
      throw new Error('The event with the response to a stored key is missing')
    return response
  }
}
