import { randomFillSync } from 'node:crypto'

/** Crockford's base32 in lower case, as the TypeID specification (v0.3) uses it. */
const crockford = '0123456789abcdefghjkmnpqrstvwxyz'
/** Encodes two digits at a time: 1,024 pairs, so that 26 digits are 13 lookups. */
const pairs = Array.from({ length: 1024 }, (_, i) => crockford[i >> 5]! + crockford[i & 31]!)

/** The 26 characters after a TypeID's prefix; the first holds only 3 bits of the 128. */
export const typeIdSuffixPattern = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const suffix = new RegExp(`^${typeIdSuffixPattern}$`)
const suffixLength = 26

const randomPool = Buffer.allocUnsafe(8192) // one system call for 1,024 ids
let randomOffset = randomPool.length
let lastMs = 0
let sequenceInMs = 0

/**
 * A UUIDv7 (RFC 9562 section 5.7) with exactly `unixMs` as its 48-bit time, so that ids sort by creation time. Ids
 * of one process and millisecond ascend by the 12 bits of `rand_a`.
 */
export function newUuid(unixMs: number): string {
  sequenceInMs = unixMs === lastMs ? (sequenceInMs + 1) & 0xfff : 0
  lastMs = unixMs
  if (randomOffset === randomPool.length) {
    randomFillSync(randomPool)
    randomOffset = 0
  }
  const high = (randomPool.readUInt32BE(randomOffset) & 0x3fffffff) | 0x80000000
  const low = randomPool.readUInt32BE(randomOffset + 4)
  randomOffset += 8
  const time = unixMs.toString(16).padStart(12, '0')
  const variant = hex8(high >>> 0)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequenceInMs.toString(16).padStart(3, '0')}-${variant.slice(0, 4)}-${variant.slice(4)}${hex8(low)}`
}

const hex8 = (word: number) => word.toString(16).padStart(8, '0')

/** Formats a UUID as a TypeID: `conv` and a UUID make `conv_01jd…` (prefix, `_`, 26 characters of base32). */
export function typeId(prefix: string, uuid: string): string {
  // 130 bits, the first two of them zero: 10 + 40 + 40 + 40, each of which a double holds exactly.
  const first = Number.parseInt(uuid.slice(0, 2), 16)
  const second = Number.parseInt(uuid.slice(2, 8) + uuid.slice(9, 13), 16)
  const third = Number.parseInt(uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24, 26), 16)
  const fourth = Number.parseInt(uuid.slice(26), 16)
  return `${prefix}_${pairs[first]}${eightDigits(second)}${eightDigits(third)}${eightDigits(fourth)}`
}

/** 40 bits as 8 digits. */
function eightDigits(bits: number): string {
  const high = Math.floor(bits / 0x100000)
  const low = bits % 0x100000
  return `${pairs[high >> 10]}${pairs[high & 1023]}${pairs[low >> 10]}${pairs[low & 1023]}`
}

/** Parses a TypeID with this prefix into its UUID; null for other texts. */
export function uuidOf(prefix: string, text: string): string | null {
  if (!text.startsWith(`${prefix}_`)) return null
  const encoded = text.slice(prefix.length + 1)
  if (!suffix.test(encoded)) return null
  const value = (i: number) => digitValues[encoded.charCodeAt(i)]!
  const first = hexByte[(value(0) << 5) | value(1)]!
  const [head, middle, tail] = [fiveBytes(value, 2), fiveBytes(value, 10), fiveBytes(value, 18)]
  const hex = first + head + middle + tail
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The value of each digit by its character code. */
const digitValues = new Uint8Array(128)
for (const [value, digit] of [...crockford].entries()) digitValues[digit.charCodeAt(0)] = value
const hexByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** 8 digits from place `i` on as 40 bits in hexadecimal. */
function fiveBytes(value: (i: number) => number, i: number): string {
  const high = (value(i) << 15) | (value(i + 1) << 10) | (value(i + 2) << 5) | value(i + 3)
  const low = (value(i + 4) << 15) | (value(i + 5) << 10) | (value(i + 6) << 5) | value(i + 7)
  const middle = ((high & 15) << 4) | (low >> 16)
  return (
    hexByte[high >> 12]! +
    hexByte[(high >> 4) & 255]! +
    hexByte[middle]! +
    hexByte[(low >> 8) & 255]! +
    hexByte[low & 255]!
  )
}

/** The creation time of a UUIDv7; for other UUIDs an arbitrary time up to the year 10889. */
export const unixMsOf = (uuid: string): number => Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16)

/** The smallest UUID with the creation time `unixMs`. It turns `created_after` into a range of ids. */
export const firstUuidAt = (unixMs: number): string => {
  const time = Math.max(0, unixMs).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** Before and after all ids. */
export const firstUuid = '00000000-0000-0000-0000-000000000000'
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The prefix of each type's TypeIDs. Types are declared as their modules are loaded. */
const prefixes = new Map<string, string>()

/** The same without their types. */
const taken = new Set<string>()

/** The prefixes of types whose objects no event is about. */
const withoutEvents = new Set<string>()

/**
 * Declares the prefix of the TypeIDs of a type, `object` in events and responses: lower-case letters.
 * @param hasEvents false keeps the type out of `anyTypeIdPattern`
 */
export function declareIds<Prefix extends string>(type: string, prefix: Prefix, hasEvents = true): Prefix {
  const other = [...prefixes].find(([each, taken]) => taken === prefix && each !== type)?.[0]
  if (other) throw new Error(`${type} and ${other} have the same prefix ${prefix}`)
  prefixes.set(type, prefix)
  taken.add(prefix)
  if (!hasEvents) withoutEvents.add(prefix)
  return prefix
}

/** Declares that the objects of a type have the ids of those of another type. */
export function shareIds(type: string, other: string): string {
  const prefix = prefixOf(other)
  prefixes.set(type, prefix)
  return prefix
}

export function prefixOf(type: string): string {
  const prefix = prefixes.get(type)
  if (prefix === undefined) throw new Error(`No module declares the ids of ${type}`)
  return prefix
}

/** The type with this prefix; the prefix itself if no type has it. */
export const typeOfPrefix = (prefix: string): string =>
  [...prefixes].find(([, each]) => each === prefix)?.[0] ?? prefix

/** True for a TypeID with a prefix that a type has. */
export function isTypeId(text: string): boolean {
  const end = text.length - suffixLength
  return text[end - 1] === '_' && suffix.test(text.slice(end)) && taken.has(text.slice(0, end - 1))
}

/** A pattern of the TypeIDs that events can be filtered by. */
export function anyTypeIdPattern(): string {
  const listed = [...new Set(prefixes.values())].filter((prefix) => !withoutEvents.has(prefix))
  return `^(${listed.toSorted().join('|')})_${typeIdSuffixPattern}$`
}
