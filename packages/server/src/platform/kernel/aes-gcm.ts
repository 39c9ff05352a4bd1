import { type CipherKey, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/*
 * AES-256-GCM (NIST SP 800-38D) with a random nonce: 12 bytes nonce, 16 bytes tag, then the ciphertext. Random nonces
 * are safe for 2^32 messages under one key. Stored ciphertexts have this format: it must stay readable.
 */
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const authTagLength = 16

/**
 * @param key 32 bytes
 * @param context required again to decrypt; not part of the result
 */
export function encrypt(key: CipherKey, text: string, context = ''): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength }).setAAD(Buffer.from(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Returns the text; null if another key or context encrypted it, or if it was altered. */
export function decrypt(key: CipherKey, encrypted: Buffer, context = ''): string | null {
  const nonce = encrypted.subarray(0, nonceBytes)
  const tag = encrypted.subarray(nonceBytes, nonceBytes + authTagLength)
  if (tag.length < authTagLength) return null
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength })
  decipher.setAuthTag(tag).setAAD(Buffer.from(context))
  try {
    const rest = encrypted.subarray(nonceBytes + authTagLength)
    return decipher.update(rest, undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
