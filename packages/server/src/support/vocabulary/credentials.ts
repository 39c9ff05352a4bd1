import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../../platform/kernel/environment.ts'
import type { AnyAccess } from '../../platform/resource/access.ts'

/*
 * The formats of credentials. Each ends with 6 base62 characters of the CRC-32 of everything before them: the checksum
 * rejects mistyped credentials without a query and lets secret scanners recognize them.
 *
 * - Secret keys: `bkl_live_` or `bkl_test_`, and 32 base62 characters (190 random bits).
 * - Publishable keys: `bkl_pub_live_` or `bkl_pub_test_`, and the same.
 * - End-user tokens: `bkl_eut_live_` or `bkl_eut_test_`, 22 base62 characters of 128 random bits, and 22 of the UUID of
 *   the environment, in which the hash of the token is looked up.
 * - Tokens of console sessions, which are cookies: `bkl_con_`, and the same with the UUID of the workspace.
 * - Tokens of one-time links to the console: `bkl_link_`, and 32 base62 characters. Those of invitations: the same as
 *   of end-user tokens, with the UUID of the environment.
 *
 * ^bkl_((pub_)?(live|test)_[0-9A-Za-z]{38}|eut_(live|test)_[0-9A-Za-z]{50}|con_[0-9A-Za-z]{50}|
 *   link_([0-9A-Za-z]{38}|[0-9A-Za-z]{50}))$
 */
export type Credential = 'secret_key' | 'publishable_key' | 'end_user_token'
/** Secrets of the console, which no request sends in `Authorization`. */
type ConsoleSecret = 'console_token' | 'console_link' | 'invitation_link'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 32
const checksumLength = 6
/** The base62 digits of 128 bits. */
const uuidLength = 22

const shapes: Record<Credential | ConsoleSecret, RegExp> = {
  secret_key: /^bkl_(?:live|test)_[0-9A-Za-z]{38}$/,
  publishable_key: /^bkl_pub_(?:live|test)_[0-9A-Za-z]{38}$/,
  end_user_token: /^bkl_eut_(?:live|test)_[0-9A-Za-z]{50}$/,
  console_token: /^bkl_con_[0-9A-Za-z]{50}$/,
  console_link: /^bkl_link_[0-9A-Za-z]{38}$/,
  invitation_link: /^bkl_link_[0-9A-Za-z]{50}$/,
}
const beginnings: [string, Credential][] = [
  ['bkl_pub_', 'publishable_key'],
  ['bkl_eut_', 'end_user_token'],
  ['bkl_live_', 'secret_key'],
  ['bkl_test_', 'secret_key'],
]

export function newKeySecret(
  environment: Environment['kind'],
  credential: 'secret_key' | 'publishable_key' = 'secret_key',
): string {
  const infix = credential === 'publishable_key' ? 'pub_' : ''
  return withChecksum(`bkl_${infix}${environment}_${randomBase62(randomLength)}`)
}

export const newEndUserToken = ({ kind, tenantId }: Environment): string =>
  withChecksum(`bkl_eut_${kind}_${base62Of(randomBytes(16).toString('hex'))}${base62Of(tenantId)}`)

export const newConsoleToken = (workspaceId: string): string =>
  withChecksum(`bkl_con_${base62Of(randomBytes(16).toString('hex'))}${base62Of(workspaceId)}`)

export const newConsoleLink = (): string => withChecksum(`bkl_link_${randomBase62(randomLength)}`)

export const newInvitationLink = ({ tenantId }: Environment): string =>
  withChecksum(`bkl_link_${base62Of(randomBytes(16).toString('hex'))}${base62Of(tenantId)}`)

/** The address of the console that signs in by a link. The fragment is not part of requests, and so in no log. */
export const linkUrl = (publicUrl: string, token: string): string => `${publicUrl}/console#link=${token}`

/** The credential that a text looks like, mistyped or not; null if its beginning is that of none. */
export const credentialOf = (text: string): Credential | null =>
  beginnings.find(([beginning]) => text.startsWith(beginning))?.[1] ?? null

/** True if the text has the format and checksum of a credential. It may still be unknown. */
export const hasShape = (credential: Credential | ConsoleSecret, text: string): boolean =>
  shapes[credential].test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength)

/** True if the text has the format and checksum of a secret key. */
export const hasKeyShape = (text: string): boolean => hasShape('secret_key', text)

/** The environment that an end-user token or the link of an invitation names. @param token one with a valid shape */
export const tenantOfToken = (token: string): string | null => uuidAtEnd(token)

/** The workspace that the token of a console session names. @param token one with a valid shape */
export const workspaceOfToken = (token: string): string | null => uuidAtEnd(token)

function uuidAtEnd(token: string): string | null {
  const end = token.length - checksumLength
  let bits = 0n
  for (const digit of token.slice(end - uuidLength, end)) bits = bits * 62n + BigInt(base62.indexOf(digit))
  const hex = bits.toString(16).padStart(32, '0')
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : null
}

/** The part of a key that identifies it for readers: `bkl_live_…a1B2`. */
export const secretHint = (secret: string): string =>
  `${secret.slice(0, secret.lastIndexOf('_') + 1)}…${secret.slice(-4)}`

/** @param hex 128 bits, with or without the hyphens of a UUID */
function base62Of(hex: string): string {
  let rest = BigInt(`0x${hex.replaceAll('-', '')}`)
  let digits = ''
  for (let i = 0; i < uuidLength; i++) {
    digits = base62[Number(rest % 62n)] + digits
    rest /= 62n
  }
  return digits
}

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

const withChecksum = (start: string): string => start + checksum(start)

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The credential that a route takes. */
export const credentialFor = ({ credential = 'secret_key' }: AnyAccess) => credential as Credential | 'none'
