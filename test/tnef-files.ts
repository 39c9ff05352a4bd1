const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer)
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)

/** An attribute of a winmail.dat. @param level 1 for the mail, 2 for a file */
export const attribute = (level: number, tag: number, value: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([level]),
    u32(tag),
    u32(value.length),
    value,
    u16(value.reduce((sum, byte) => sum + byte, 0) & 0xffff),
  ])

export const winmail = (...attributes: Buffer[]): Buffer =>
  Buffer.concat([u32(0x223e9f78), u16(1), ...attributes])

const padded = (value: Buffer) => Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)])

export type MapiProperty = [tag: number, value: number | string | Buffer]

/** MAPI properties: a number for fixed types, UTF-16 for Unicode strings, bytes for others. */
export const properties = (...list: MapiProperty[]): Buffer =>
  Buffer.concat([u32(list.length), ...list.flatMap(([tag, value]) => [u32(tag), ...bytesOf(tag, value)])])

function bytesOf(tag: number, value: number | string | Buffer): Buffer[] {
  if (typeof value === 'number') return [u32(value)]
  const bytes = Buffer.isBuffer(value)
    ? value
    : Buffer.from(`${value}\0`, (tag & 0xffff) === 0x1f ? 'utf16le' : 'latin1')
  return [u32(1), u32(bytes.length), padded(bytes)]
}

export const oemCodepage = (page: number): Buffer =>
  attribute(1, 0x00069007, Buffer.concat([u32(page), u32(0)]))
export const bodyText = (text: Buffer): Buffer =>
  attribute(1, 0x0002800c, Buffer.concat([text, Buffer.alloc(1)]))
export const messageProperties = (...list: MapiProperty[]): Buffer =>
  attribute(1, 0x00069003, properties(...list))

/** The attributes of a file. */
export const tnefFile = (title: string, data: Buffer, ...list: MapiProperty[]): Buffer =>
  Buffer.concat([
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${title}\0`, 'latin1')),
    attribute(2, 0x0006800f, data),
    ...(list.length > 0 ? [attribute(2, 0x00069005, properties(...list))] : []),
  ])
