import { LRUCache } from 'lru-cache'
import { ApiError } from '../kernel/errors.ts'
import type { Db } from '../postgres/database.ts'
import { findKey, type StoredKey } from './idempotency-keys.ts'
import type { Idempotency } from './request.ts'

/** Some 150 bytes each. Few are enough, because retries come within seconds. */
const maxKnown = 10_000

/**
 * The responses that are stored under idempotency keys, and the keys that this process has seen stored: a request with
 * one of those is answered without trying its write. Of any other key, the write itself finds out.
 */
export class IdempotencyStore {
  readonly #known: LRUCache<string, true> | null

  /** @param remembers without it, each retry tries its write first */
  constructor({ remembers = true }: { remembers?: boolean } = {}) {
    this.#known = remembers ? new LRUCache({ max: maxKnown }) : null
  }

  /** Has this process seen the key stored? */
  isKnown(tenantId: string, { key }: Idempotency): boolean {
    return this.#known?.has(`${tenantId}/${key}`) === true
  }

  /** The key is stored. */
  learn(tenantId: string, { key }: Idempotency): void {
    this.#known?.set(`${tenantId}/${key}`, true)
  }

  /**
   * The response that is stored under a key; null when there is none.
   * @throws ApiError `idempotency_key_reused` when another request has used the key
   */
  async find(db: Db, tenantId: string, idempotency: Idempotency): Promise<StoredKey | null> {
    const stored = await findKey(db, tenantId, idempotency.key)
    if (!stored) return null
    this.learn(tenantId, idempotency)
    if (!stored.fingerprint.equals(idempotency.fingerprint))
      throw new ApiError('idempotency_key_reused', { original_request_id: stored.requestId })
    return stored
  }
}
