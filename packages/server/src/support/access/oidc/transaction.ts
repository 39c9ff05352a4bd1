import { createSecretKey, hkdfSync } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/kernel/clock.ts'
import { decrypt, encrypt } from '../../../platform/kernel/secret-box.ts'
import type { Proof } from './provider.ts'

/** From the redirect to the provider until the browser is back. */
export const transactionSeconds = 600

/** `expired` is also a transaction that is not there: browsers delete cookies that have expired or been used. */
export type TransactionFault = 'expired' | 'state'

export type Transactions = {
  /** The value of a cookie. It can be read only by servers of this database. */
  seal(proof: Proof): string
  /**
   * Reads a cookie once: of several callbacks with one state, the first is accepted by a process.
   * @param state the parameter `state` of the callback
   */
  take(sealed: string | null, state: string | null): Proof | TransactionFault
}

/** States that a process remembers; the provider refuses further uses of a code, whichever process receives it. */
const mostUsed = 10_000

type Stored = Proof & { createdAt: number }

/**
 * Transactions of sign-ins, in cookies, so that a process can receive the callback of a sign-in that another one began.
 * @param secret the same for all processes of a database. The key is derived for this use alone: anybody can begin
 * sign-ins, and one AES-GCM key with random nonces is good for 2^32 messages.
 */
export function openTransactions(secret: Buffer, clock: Clock): Transactions {
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', 'backline oidc transaction', 32)))
  const used = new LRUCache<string, true>({ max: mostUsed })
  return {
    seal: (proof) =>
      encrypt(key, JSON.stringify({ ...proof, createdAt: clock() } satisfies Stored)).toString('base64url'),
    take(sealed, state) {
      if (!sealed) return 'expired'
      const text = decrypt(key, Buffer.from(sealed, 'base64url'))
      if (text === null) return 'state'
      const { createdAt, ...proof }: Stored = JSON.parse(text)
      const age = clock() - createdAt
      if (age > transactionSeconds * 1000) return 'expired'
      if (state !== proof.state) return 'state'
      if (used.has(state)) return 'expired'
      used.set(state, true)
      return proof
    },
  }
}
