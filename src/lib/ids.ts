import { randomFillSync } from 'node:crypto'

/** Crockford's base32 in lower case, as the TypeID specification (v0.3) uses it. */
const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
const base32hex = '0123456789abcdefghijklmnopqrstuv' // what BigInt.prototype.toString(32) writes
const toCrockford = new Map([...base32hex].map((digit, i) => [digit, crockford[i]!]))
const fromCrockford = new Map([...crockford].map((digit, i) => [digit, base32hex[i]!]))

/** The 26 characters after a TypeID's prefix; the first holds only 3 bits of the 128. */
export const typeIdSuffixPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const suffix = new RegExp(`^${typeIdSuffixPattern}$`)

const randomPool = Buffer.allocUnsafe(8192) // one system call for 1,024 ids
let randomOffset = randomPool.length
let lastMs = 0
let sequenceInMs = 0

/**
 * A UUIDv7 (RFC 9562 section 5.7) whose 48-bit time is exactly `epochMs`, so that id order is creation
 * order; ids that one process makes within a millisecond ascend by the 12 bits of `rand_a`.
 */
export function newUuid(epochMs: number): string {
  sequenceInMs = epochMs === lastMs ? (sequenceInMs + 1) & 0xfff : 0
  lastMs = epochMs
  if (randomOffset === randomPool.length) {
    randomFillSync(randomPool)
    randomOffset = 0
  }
  const high = (randomPool.readUInt32BE(randomOffset) & 0x3fffffff) | 0x80000000
  const low = randomPool.readUInt32BE(randomOffset + 4)
  randomOffset += 8
  const time = epochMs.toString(16).padStart(12, '0')
  const variant = hex8(high >>> 0)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequenceInMs.toString(16).padStart(3, '0')}-${variant.slice(0, 4)}-${variant.slice(4)}${hex8(low)}`
}

const hex8 = (word: number) => word.toString(16).padStart(8, '0')

/** `conv` and a UUID make `conv_01jd…`: prefix, `_`, 26 characters of base32 over the UUID. */
export function typeId(prefix: string, uuid: string): string {
  const digits = BigInt(`0x${uuid.replaceAll('-', '')}`)
    .toString(32)
    .padStart(26, '0')
  let text = `${prefix}_`
  for (const digit of digits) text += toCrockford.get(digit)
  return text
}

/** The UUID inside a TypeID of this prefix; null when the text cannot be one. */
export function uuidOf(prefix: string, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null
  const encoded = text.slice(prefix.length + 1)
  if (!suffix.test(encoded)) return null
  let value = 0n
  for (const digit of encoded) value = (value << 5n) | BigInt(Number.parseInt(fromCrockford.get(digit)!, 32))
  const hex = value.toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The smallest UUID that a creation at `epochMs` can have: turns `created_after` into a range of ids. */
export const firstUuidAt = (epochMs: number): string => {
  const time = Math.max(0, epochMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The TypeID prefix of each resource type, as events and responses name it in `object`. */
export const idPrefixes = {
  api_key: 'key',
  conversation: 'conv',
  event: 'evt',
  message: 'msg',
  workspace: 'ws',
} as const

export type ResourceType = keyof typeof idPrefixes
