import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/* Small files of many kinds, with real structures as far as detection of types looks at them. */

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex')

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A white image, of 1 by 1 pixel by default. `before` are chunks between its header and its data. */
export function png(
  before: [type: string, data: Buffer][] = [],
  { width = 1, height = 1 }: { width?: number; height?: number } = {},
): Buffer {
  const header = Buffer.concat([bigEndian(width), bigEndian(height), hex('08 00 00 00 00')])
  const row = Buffer.concat([hex('00'), Buffer.alloc(width, 0xff)])
  const chunks: [string, Buffer][] = [
    ['IHDR', header],
    ...before,
    ['IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))],
    ['IEND', Buffer.alloc(0)],
  ]
  const parts = chunks.map(([type, data]) => {
    const content = Buffer.concat([latin(type), data])
    return Buffer.concat([bigEndian(data.length), content, bigEndian(crc32(content))])
  })
  return Buffer.concat([hex('89504e470d0a1a0a'), ...parts])
}

export type ZipEntry = {
  name: string
  content?: Buffer | string
  /** Sizes follow the data, as in archives that are written as a stream. */
  isStreamed?: boolean
  /** A size in the header that is not true. */
  claimed?: number
}

/** A ZIP file with compressed entries and their central directory. */
export function zip(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, content = '', isStreamed = false, claimed } of entries) {
    const raw = Buffer.from(content)
    const data = deflateRawSync(raw)
    const rest = Buffer.alloc(26)
    rest.writeUInt16LE(20, 0)
    rest.writeUInt16LE(isStreamed ? 8 : 0, 2)
    rest.writeUInt16LE(8, 4)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc32(raw), 0)
    sizes.writeUInt32LE(claimed ?? data.length, 4)
    sizes.writeUInt32LE(claimed ?? raw.length, 8)
    if (!isStreamed) sizes.copy(rest, 10)
    rest.writeUInt16LE(Buffer.byteLength(name), 22)
    const descriptor = isStreamed ? [latin('PK\x07\x08'), sizes] : []
    const local = Buffer.concat([latin('PK\x03\x04'), rest, Buffer.from(name), data, ...descriptor])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([latin('PK\x01\x02\x14\0'), rest, place, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, latin('PK\x05\x06'), end])
}

const contentTypes = (type: string) =>
  `<?xml version="1.0"?><Types><Override PartName="/main.xml" ContentType="${type}.main+xml"/></Types>`
const ooxml = 'application/vnd.openxmlformats-officedocument'

const isoMedia = (brand: string) =>
  Buffer.concat([hex('00 00 00 18'), latin(`ftyp${brand}`), Buffer.alloc(512)])

/** The directory of a TIFF lies where its header says. */
export function tiff(directoryAt: number): Buffer {
  const bytes = Buffer.alloc(directoryAt + 6)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(directoryAt, 4)
  return bytes
}

function tar(): Buffer {
  const bytes = Buffer.alloc(1_024)
  bytes.write('a.txt')
  bytes.write('ustar\x0000', 257, 'latin1')
  return bytes
}

function portableExecutable(): Buffer {
  const bytes = Buffer.alloc(512)
  bytes.write('MZ')
  bytes.writeUInt32LE(0x80, 0x3c)
  bytes.write('PE\0\0', 0x80, 'latin1')
  return bytes
}

function iso(): Buffer {
  const bytes = Buffer.alloc(34_816)
  bytes.write('\x01CD001\x01', 32_768, 'latin1')
  return bytes
}

const padded = (digits: string) => Buffer.concat([hex(digits), Buffer.alloc(512)])
const riff = (kind: string) =>
  Buffer.concat([latin('RIFF'), hex('24 00 00 00'), latin(kind), Buffer.alloc(64)])

export const samples = {
  png: png(),
  jpeg: padded('ff d8 ff e0 00 10 4a 46 49 46 00 01'),
  gif: Buffer.concat([latin('GIF89a'), hex('01 00 01 00 80 00 00')]),
  webp: riff('WEBPVP8 '),
  bmp: Buffer.concat([latin('BM'), hex('3a 00 00 00 00 00 00 00 36 00 00 00'), Buffer.alloc(46)]),
  avif: isoMedia('avif'),
  heic: isoMedia('heic'),
  tiff: tiff(8),
  ico: padded('00 00 01 00 01 00'),
  pdf: latin('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF'),
  docx: zip([
    { name: '[Content_Types].xml', content: contentTypes(`${ooxml}.wordprocessingml.document`) },
    { name: 'word/document.xml', content: '<w:document/>' },
  ]),
  xlsx: zip([
    { name: 'xl/workbook.xml', content: '<workbook/>' },
    { name: '[Content_Types].xml', content: contentTypes(`${ooxml}.spreadsheetml.sheet`) },
  ]),
  odt: zip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.text' }]),
  zip: zip([{ name: 'a.txt', content: 'content' }]),
  jar: zip([{ name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0' }]),
  apk: zip([{ name: 'AndroidManifest.xml' }, { name: 'classes.dex' }]),
  cfb: padded('d0 cf 11 e0 a1 b1 1a e1'),
  rtf: latin('{\\rtf1\\ansi Hello}'),
  gzip: hex('1f 8b 08 00 00 00 00 00 00 03 4b 04 00 43 be b7 e8 01 00 00 00'),
  tar: tar(),
  sevenZip: padded('37 7a bc af 27 1c 00 04'),
  mp4: isoMedia('isom'),
  mov: isoMedia('qt  '),
  m4a: isoMedia('M4A '),
  webm: Buffer.concat([hex('1a 45 df a3 8b 42 82 84'), latin('webm'), hex('42 87 81 04'), Buffer.alloc(64)]),
  ogg: Buffer.concat([latin('OggS'), Buffer.alloc(24), latin('\x01vorbis'), Buffer.alloc(64)]),
  mp3: padded('49 44 33 03 00 00 00 00 00 00 ff fb 90 00'),
  wav: riff('WAVEfmt '),
  exe: portableExecutable(),
  elf: padded('7f 45 4c 46 02 01 01 00'),
  macho: padded('cf fa ed fe 07 00 00 01'),
  javaClass: padded('ca fe ba be 00 00 00 41'),
  lnk: padded('4c 00 00 00 01 14 02 00 00 00 00 00 c0 00 00 00 00 00 00 46'),
  iso: iso(),
  shell: latin('#!/bin/sh\necho hello\n'),
  html: latin('<!DOCTYPE html>\n<title>a</title>'),
  svg: latin('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  xml: latin('<?xml version="1.0"?><order/>'),
  ics: latin('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'),
  vcard: latin('BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n'),
  text: latin('Hello,\nmy order has not arrived.\n'),
  utf8: Buffer.from('Grüße 😀'),
  utf16: Buffer.from('\ufeffname;city\r\n', 'utf16le'),
  json: latin('{"a": 1}'),
  csv: latin('name,city\nAda,London\n'),
  binary: Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 7 + 3) % 251)),
  empty: Buffer.alloc(0),
} satisfies Record<string, Buffer>

export type Sample = keyof typeof samples
