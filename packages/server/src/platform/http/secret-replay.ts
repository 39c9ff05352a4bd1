import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from '../kernel/aes-gcm.ts'

/*
 * Responses that show a secret are kept encrypted under the API key that was presented: whoever reads the
 * database learns nothing, and only that key can have the secret replayed. The key is HKDF-SHA-256 of the
 * presented key, which has 190 random bits.
 */
const keyFrom = (token: string) =>
  Buffer.from(hkdfSync('sha256', token, '', 'backline idempotent response', 32))

export const seal = (token: string, text: string): Buffer => encrypt(keyFrom(token), text)

/** The sealed text; null when another key sealed it. */
export const unseal = (token: string, sealed: Buffer): string | null => decrypt(keyFrom(token), sealed)
