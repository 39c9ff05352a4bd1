import {
  type CipherKey,
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Encrypts secrets that the database stores, such as those of webhooks. */
export type SecretBox = {
  /**
   * Encrypts a text to be stored. It first asks which key is current, so that nothing is sealed with a former key once
   * a rotation has begun.
   * @param place where the text is stored, such as the id of its row; it cannot be decrypted elsewhere
   */
  seal(text: string, place?: string): Promise<Buffer>
  /** Encrypts a text that is not stored and soon expires, with the key that was current when last asked. */
  sealToken(text: string, place?: string): Buffer
  /**
   * Decrypts with any of the keys. If none fits, it asks for the keys again: a rotation may have begun.
   * @throws SecretBoxError if another key or place encrypted it, or if it was altered
   */
  open(sealed: Buffer, place?: string): Promise<string>
}

/** A secret cannot be decrypted. The message does not contain it. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError'
}

/** `current` encrypts; `keys` decrypt, and contain it. */
export type SecretKeys = { current: KeyObject; keys: KeyObject[] }

/** The first byte of every ciphertext; the format of aes-gcm.ts follows. */
const formVersion = 1
/** Texts that no key opens, such as forged tokens, ask for the keys no more often. */
const askAgainMs = 1_000

/**
 * @param known the keys at the start
 * @param ask reads them again. A key that was once known stays known, for copies of rows in memory
 */
export function secretBox(known: SecretKeys, ask: () => Promise<SecretKeys> = async () => known): SecretBox {
  let current = encryptionKeyOf(known.current)
  let keys = known.keys.map(encryptionKeyOf)
  /** When the keys were last read again because none opened a text, and the promise of that read. */
  let asked = { atMs: Number.NEGATIVE_INFINITY, keys: Promise.resolve() }

  async function askForKeys(): Promise<void> {
    const found = await ask()
    const more = found.keys.map(encryptionKeyOf).filter((key) => !keys.some((each) => each.equals(key)))
    keys = [...keys, ...more]
    current = encryptionKeyOf(found.current)
  }

  const sealToken = (text: string, place?: string) =>
    Buffer.concat([Buffer.of(formVersion), encrypt(current, text, place)])

  return {
    async seal(text, place) {
      await askForKeys()
      return sealToken(text, place)
    },
    sealToken,
    async open(sealed, place) {
      const text = decryptWith(keys, sealed, place)
      if (text !== null) return text
      if (performance.now() - asked.atMs >= askAgainMs)
        asked = { atMs: performance.now(), keys: askForKeys() }
      await asked.keys // others of the same moment wait for the same answer
      const again = decryptWith(keys, sealed, place)
      if (again !== null) return again
      throw new SecretBoxError(
        'The sealed data was altered, or was sealed with another key or for another record',
      )
    },
  }
}

/**
 * Encrypts a stored text again with the current key.
 * @returns null if the current key has encrypted it
 * @throws SecretBoxError if no key opens it
 */
export function sealAgain({ current, keys }: SecretKeys, sealed: Buffer, place: string): Buffer | null {
  const key = encryptionKeyOf(current)
  if (decryptWith([key], sealed, place) !== null) return null
  const text = decryptWith(keys.map(encryptionKeyOf), sealed, place)
  if (text === null) throw new SecretBoxError('No key opens the sealed data')
  return Buffer.concat([Buffer.of(formVersion), encrypt(key, text, place)])
}

function decryptWith(keys: Buffer[], sealed: Buffer, place?: string): string | null {
  if (sealed[0] !== formVersion) throw new SecretBoxError('The sealed data has an unknown format')
  for (const key of keys) {
    const text = decrypt(key, sealed.subarray(1), place)
    if (text !== null) return text
  }
  return null
}

const encryptionKeyOf = (key: KeyObject) => derive(key, 'backline secret box')

/** 32 bytes that identify a key without revealing it; they show whether two keys are equal. */
export const secretKeyCheck = (key: KeyObject): Buffer => derive(key, 'backline secret key check')

/** Derives a separate key per use by HKDF-SHA-256 (RFC 5869), so that no use weakens another. */
const derive = (key: KeyObject, use: string) => Buffer.from(hkdfSync('sha256', key, '', use, 32))

/** The format that `parseSecretKey` accepts, for messages. */
export const secretKeyForm =
  '32 bytes in base64 (as created by openssl rand -base64 32) or 64 hexadecimal digits'

/** Null if the text is not of `secretKeyForm`. A KeyObject reveals nothing when it is logged. */
export function parseSecretKey(text: string): KeyObject | null {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  // 43 digits have two bits more than 32 bytes; these are zero in the last digit.
  const isBase64 = /^(?:[A-Za-z0-9+/]{42}|[A-Za-z0-9_-]{42})[AEIMQUYcgkosw048]=?$/.test(text)
  return isHex || isBase64 ? createSecretKey(Buffer.from(text, isHex ? 'hex' : 'base64')) : null
}

/** Several keys, separated by commas or white space; the last is the newest. Null if one is not of `secretKeyForm`. */
export function parseSecretKeys(text: string): KeyObject[] | null {
  const keys = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseSecretKey)
  return keys.length > 0 && keys.every((key) => key !== null) ? keys : null
}

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
