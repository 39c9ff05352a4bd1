import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'

/** Encrypts what must be kept and must not be read in the database, such as the secrets of webhooks. */
export type SecretBox = {
  /** @param place where it is kept, such as the id of its row: copied to another one it does not open */
  seal(text: string, place?: string): Buffer
  /** @throws SecretBoxError when another key or place sealed it, or when it has been altered */
  open(sealed: Buffer, place?: string): string
}

/** A secret cannot be read; the message does not show it. */
export class SecretBoxError extends Error {
  override name = 'SecretBoxError'
}

/** The first byte of all that is sealed; then comes the form of aes-gcm.ts. */
const formVersion = 1

/** @param key of `parseSecretKey` */
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

/** 32 bytes that differ for every key and tell nothing about it: to find out whether two keys are the same. */
export const secretKeyCheck = (key: KeyObject): Buffer => derive(key, 'backline secret key check')

/** Each use has a key of its own, by HKDF-SHA-256 (RFC 5869), so that no use can weaken another. */
const derive = (key: KeyObject, use: string) => Buffer.from(hkdfSync('sha256', key, '', use, 32))

/** What `parseSecretKey` accepts, for messages. */
export const secretKeyForm =
  '32 bytes in base64 (as created by openssl rand -base64 32) or 64 hexadecimal digits'

/** Null when the text is not of `secretKeyForm`. A KeyObject, because that shows nothing when it is logged. */
export function parseSecretKey(text: string): KeyObject | null {
  const isHex = /^[0-9a-f]{64}$/i.test(text)
  // 43 digits have two bits more than 32 bytes; in the last digit these are zero.
  const isBase64 = /^(?:[A-Za-z0-9+/]{42}|[A-Za-z0-9_-]{42})[AEIMQUYcgkosw048]=?$/.test(text)
  return isHex || isBase64 ? createSecretKey(Buffer.from(text, isHex ? 'hex' : 'base64')) : null
}
