import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/*
 * Responses that show a secret are kept encrypted under the API key that was presented: whoever reads the
 * database learns nothing, and only that key can have the secret replayed. AES-256-GCM; the key is HKDF-SHA-256
 * of the presented key, which has 190 random bits.
 */
const nonceBytes = 12
const tagBytes = 16

const keyFrom = (token: string) =>
  Buffer.from(hkdfSync('sha256', token, '', 'backline idempotent response', 32))

export function seal(token: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFrom(token), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** The sealed text; null when another key sealed it. */
export function unseal(token: string, sealed: Buffer): string | null {
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', keyFrom(token), nonce).setAuthTag(tag)
  try {
    return decipher.update(sealed.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
