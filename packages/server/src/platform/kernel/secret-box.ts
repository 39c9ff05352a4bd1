import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'

/** Encrypts secrets that the database stores, such as those of webhooks. */
export type SecretBox = {
  /** @param place where the text is stored, such as the id of its row; it cannot be decrypted elsewhere */
  seal(text: string, place?: string): Buffer
  /** @throws SecretBoxError if another key or place encrypted it, or if it was altered */
  open(sealed: Buffer, place?: string): string
}

/** A secret cannot be decrypted. The message does not contain it. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError'
}

/** The first byte of every ciphertext; the format of aes-gcm.ts follows. */
const formVersion = 1

/** @param key from `parseSecretKey` */
export function secretBox(key: KeyObject): SecretBox {
  const encryptionKey = derive(key, 'backline secret box')
  return {
    seal: (text, place) => Buffer.concat([Buffer.of(formVersion), encrypt(encryptionKey, text, place)]),
    open(sealed, place) {
      if (sealed[0] !== formVersion) throw new SecretBoxError('The sealed data has an unknown format')
      const text = decrypt(encryptionKey, sealed.subarray(1), place)
      if (text === null)
        throw new SecretBoxError(
          'The sealed data was altered, or was sealed with another key or for another record',
        )
      return text
    },
  }
}

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
