import { decodeText, type Warning } from './charsets.ts'

/** The content of a winmail.dat, which Outlook writes (MS-OXTNEF). Its files are views of the given bytes. */
export type Tnef = { text: string | null; html: string | null; files: TnefFile[] }
export type TnefFile = {
  name: string | null
  contentType: string | null
  contentId: string | null
  bytes: Uint8Array
}

const signature = 0x223e9f78
const maxFiles = 1000
const maxProperties = 10_000

/** Attributes, without the half that says their type. */
const codepage = 0x9007
const body = 0x800c
const messageProperties = 0x9003
const attachmentStart = 0x9002
const attachmentTitle = 0x8010
const attachmentData = 0x800f
const attachmentProperties = 0x9005

/** Properties of MAPI. */
const plainBody = 0x1000
const htmlBody = 0x1013
const dataOfAttachment = 0x3701
const shortName = 0x3704
const longName = 0x3707
const mediaType = 0x370e
const contentId = 0x3712

/** @returns null for a damaged file */
export function readTnef(bytes: Uint8Array, warnings: Set<Warning>): Tnef | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 6 || view.getUint32(0, true) !== signature) return null
  const content: Tnef = { text: null, html: null, files: [] }
  let charset = 'windows-1252'
  const decode = (value: Uint8Array) => decodeText(value, charset, warnings).replaceAll('\0', '')
  for (let at = 6; at + 11 <= bytes.length; ) {
    const attribute = view.getUint16(at + 1, true)
    const length = view.getUint32(at + 5, true)
    const value = bytes.subarray(at + 9, at + 9 + length)
    if (value.length < length) return null
    at += 9 + length + 2 // and a checksum
    const file = content.files.at(-1)
    if (attribute === codepage && length >= 2) charset = charsetOf(value[0]! + value[1]! * 256)
    else if (attribute === body) content.text = decode(value)
    else if (attribute === messageProperties) {
      const properties = readProperties(value)
      if (!properties) return null
      content.text = textOf(properties.get(plainBody), decode) ?? content.text
      content.html = textOf(properties.get(htmlBody), decode) ?? content.html
    } else if (attribute === attachmentStart) {
      if (content.files.length === maxFiles) return null
      content.files.push({ name: null, contentType: null, contentId: null, bytes: new Uint8Array() })
    } else if (attribute === attachmentTitle && file) file.name ??= decode(value)
    else if (attribute === attachmentData && file) file.bytes = value
    else if (attribute === attachmentProperties && file) {
      const properties = readProperties(value)
      if (!properties) return null
      const text = (tag: number) => textOf(properties.get(tag), decode)
      file.name = text(longName) ?? file.name ?? text(shortName)
      file.contentType = text(mediaType)?.toLowerCase() ?? null
      file.contentId = text(contentId)
      const data = properties.get(dataOfAttachment)
      if (file.bytes.length === 0 && data) file.bytes = data.bytes
    }
  }
  return content
}

const charsetOf = (page: number): string => {
  if (page === 65001) return 'utf-8'
  if (page === 20866) return 'koi8-r'
  return page >= 1250 && page <= 1258 ? `windows-${page}` : `cp${page}`
}

type Property = { isUnicode: boolean; bytes: Uint8Array }

function textOf(property: Property | undefined, decode: (bytes: Uint8Array) => string): string | null {
  if (!property) return null
  if (!property.isUnicode) return decode(property.bytes)
  return new TextDecoder('utf-16le').decode(property.bytes).replaceAll('\0', '')
}

/** Sizes of the types of fixed length, rounded up to four bytes. */
const sizes: Record<number, number> = {
  1: 0,
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
}

/** Types of variable length: object, string of 8 bits, Unicode string, and binary. */
const isVariable = (type: number) => [0x0d, 0x1e, 0x1f, 0x102].includes(type)

/** Reads MAPI properties. @returns null for damaged ones */
function readProperties(bytes: Uint8Array): Map<number, Property> | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const properties = new Map<number, Property>()
  let at = 0
  const number = () => {
    if (at + 4 > bytes.length) throw new RangeError('The property ends early')
    at += 4
    return view.getUint32(at - 4, true)
  }
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('The value ends early')
    at += length
    return bytes.subarray(at - length, at)
  }
  try {
    const count = Math.min(number(), maxProperties)
    for (let i = 0; i < count; i++) {
      const tag = number()
      const type = tag & 0x0fff
      const id = tag >>> 16
      if (id >= 0x8000) skipName()
      const values = tag & 0x1000 || isVariable(type) ? Math.min(number(), maxProperties) : 1
      for (let each = 0; each < values; each++) {
        const size = sizes[type]
        if (size === undefined && !isVariable(type)) throw new RangeError('The type is unknown')
        const length = size ?? number()
        const value = take(length)
        take(Math.min((4 - (length % 4)) % 4, bytes.length - at))
        if (each === 0) properties.set(id, { isUnicode: type === 0x1f, bytes: value })
      }
    }
    return properties
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }

  function skipName(): void {
    take(16)
    if (number() === 0) number()
    else {
      const length = number()
      take(length + ((4 - (length % 4)) % 4))
    }
  }
}
