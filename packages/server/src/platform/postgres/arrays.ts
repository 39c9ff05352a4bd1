/*
 * One-dimensional arrays in PostgreSQL's binary format, as read by `array_recv` (src/backend/utils/adt/arrayfuncs.c)
 * and, for each element, the type's own `…recv`. Neither side quotes or parses elements as text.
 */

/** Nested lists are sent as text. */
export const elementTypes = [
  'uuid',
  'text',
  'bytea',
  'integer',
  'bigint',
  'boolean',
  'timestamptz',
  'json',
] as const
export type ElementType = (typeof elementTypes)[number]

type Element = {
  /** `pg_type.oid`, fixed for built-in types. */
  oid: number
  /** Size of a value in bytes. */
  size(value: never): number
  /** Writes a value of that size. */
  write(buffer: Buffer, value: never, at: number, size: number): void
}

const text = {
  size: (value: string) => Buffer.byteLength(value),
  write: (buffer: Buffer, value: string, at: number, size: number) => void buffer.write(value, at, size),
}
/** PostgreSQL counts microseconds since 2000. */
const epochOfPostgresMs = Date.UTC(2000)

let latestInstant: string | null = null
let latestMicroseconds = 0n
/**
 * Remembers the last result: the rows of a request mostly have one time.
 * @throws RangeError for an invalid time or a fraction; neither may be rounded silently
 */
function microseconds(time: string | Date): bigint {
  if (typeof time !== 'string') return BigInt(time.getTime() - epochOfPostgresMs) * 1000n
  if (time !== latestInstant) {
    latestMicroseconds = BigInt(Date.parse(time) - epochOfPostgresMs) * 1000n
    latestInstant = time
  }
  return latestMicroseconds
}

/** @throws RangeError for a fraction */
const whole = (value: number): number => (Number.isInteger(value) ? value : Number(BigInt(value)))

/** The value of each hexadecimal digit by its character code. */
const digits = new Int8Array(256).fill(-1)
for (let i = 0; i < 16; i++) {
  const digit = i.toString(16)
  digits[digit.charCodeAt(0)] = i
  digits[digit.toUpperCase().charCodeAt(0)] = i
}
const hyphen = '-'.charCodeAt(0)

/** @throws TypeError */
function writeUuid(buffer: Buffer, value: string, at: number): void {
  let place = 0
  for (let i = 0; i < 16; i++) {
    while (value.charCodeAt(place) === hyphen) place++
    const high = digits[value.charCodeAt(place)] ?? -1
    const low = digits[value.charCodeAt(place + 1)] ?? -1
    if (high < 0 || low < 0) throw new TypeError(`Not a UUID: ${value}`)
    buffer[at + i] = high * 16 + low
    place += 2
  }
}

const elements: Record<ElementType, Element> = {
  text: { oid: 25, ...text },
  json: { oid: 114, ...text },
  bytea: {
    oid: 17,
    size: (value: Buffer) => value.length,
    write: (buffer, value: Buffer, at) => void value.copy(buffer, at),
  },
  uuid: {
    oid: 2950,
    size: () => 16,
    write: writeUuid,
  },
  integer: {
    oid: 23,
    size: () => 4,
    write: (buffer, value: number, at) => void buffer.writeInt32BE(whole(value), at),
  },
  bigint: {
    oid: 20,
    size: () => 8,
    write: (buffer, value: number, at) => void buffer.writeBigInt64BE(BigInt(value), at),
  },
  boolean: {
    oid: 16,
    size: () => 1,
    write: (buffer, value: boolean, at) => void buffer.writeUInt8(value ? 1 : 0, at),
  },
  timestamptz: {
    oid: 1184,
    size: () => 8,
    write: (buffer, value: string | Date, at) => void buffer.writeBigInt64BE(microseconds(value), at),
  },
}

const headerSize = 20
const lengthSize = 4

/** A parameter whose elements the driver would accept one by one; null and undefined are null. */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  const { oid, size, write } = elements[type]
  let total = headerSize
  let hasNulls = 0
  const sizes = values.map((value) => {
    const bytes = value == null ? -1 : size(value as never)
    total += lengthSize + Math.max(bytes, 0)
    if (bytes < 0) hasNulls = 1
    return bytes
  })
  const buffer = Buffer.allocUnsafe(total)
  buffer.writeInt32BE(1, 0) // dimensions
  buffer.writeInt32BE(hasNulls, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16) // index of the first element
  let at = headerSize
  values.forEach((value, i) => {
    const bytes = sizes[i]!
    buffer.writeInt32BE(bytes, at)
    at += lengthSize
    if (bytes < 0) return
    write(buffer, value as never, at, bytes)
    at += bytes
  })
  return buffer
}
