import { hkdfSync } from 'node:crypto'
import { decrypt, encrypt } from '../../kernel/secret-box.ts'

/*
 * Responses with a secret are stored encrypted under the API key of the request. A reader of the database cannot
 * decrypt them, and only that key replays the secret. The encryption key is HKDF-SHA-256 of the API key, which has
 * 190 random bits.
 */
const keyFrom = (token: string) =>
  Buffer.from(hkdfSync('sha256', token, '', 'backline idempotent response', 32))

export const seal = (token: string, text: string): Buffer => encrypt(keyFrom(token), text)

/** The decrypted text; null if another key encrypted it. */
export const unseal = (token: string, sealed: Buffer): string | null => decrypt(keyFrom(token), sealed)
