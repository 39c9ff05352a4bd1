import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/*
 * The format of API keys: `bkl_live_` or `bkl_test_`, 32 base62 characters (190 random bits), and 6 base62 characters
 * of the CRC-32 of everything before them. The checksum rejects mistyped keys without a query and lets secret
 * scanners recognize keys: ^bkl_(live|test)_[0-9A-Za-z]{38}$
 */
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^bkl_(?:live|test)_[0-9A-Za-z]{38}$/
const randomLength = 32
const checksumLength = 6

export function newKeySecret(kind: 'live' | 'test'): string {
  const start = `bkl_${kind}_${randomBase62(randomLength)}`
  return start + checksum(start)
}

/** True if the text has the format and checksum of a key. The key may still be unknown. */
export const hasKeyShape = (text: string): boolean =>
  shape.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** The part of a key that identifies it for readers: `bkl_live_…a1B2`. */
export const secretHint = (secret: string): string =>
  `${secret.slice(0, secret.lastIndexOf('_') + 1)}…${secret.slice(-4)}`

function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; higher values would favour some characters.
      if (byte < 248 && text.length < length) text += base62[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
