import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { latin, png, type Sample, samples, tiff, zip } from '@backline/test/file-samples.ts'
import { type Detected, detect, detectionBytes } from './type-of-bytes.ts'

const mimeOf = (detected: Detected) => (typeof detected === 'object' ? detected.mime : detected)
const ooxml = 'application/vnd.openxmlformats-officedocument'

const types: Record<Sample, [mime: string, ext: string] | 'text' | 'binary' | 'empty'> = {
  png: ['image/png', 'png'],
  jpeg: ['image/jpeg', 'jpg'],
  gif: ['image/gif', 'gif'],
  webp: ['image/webp', 'webp'],
  bmp: ['image/bmp', 'bmp'],
  avif: ['image/avif', 'avif'],
  heic: ['image/heic', 'heic'],
  tiff: ['image/tiff', 'tif'],
  ico: ['image/x-icon', 'ico'],
  pdf: ['application/pdf', 'pdf'],
  docx: [`${ooxml}.wordprocessingml.document`, 'docx'],
  xlsx: [`${ooxml}.spreadsheetml.sheet`, 'xlsx'],
  odt: ['application/vnd.oasis.opendocument.text', 'odt'],
  zip: ['application/zip', 'zip'],
  jar: ['application/java-archive', 'jar'],
  apk: ['application/vnd.android.package-archive', 'apk'],
  cfb: ['application/x-cfb', 'cfb'],
  rtf: ['application/rtf', 'rtf'],
  gzip: ['application/gzip', 'gz'],
  tar: ['application/x-tar', 'tar'],
  sevenZip: ['application/x-7z-compressed', '7z'],
  mp4: ['video/mp4', 'mp4'],
  mov: ['video/quicktime', 'mov'],
  m4a: ['audio/x-m4a', 'm4a'],
  webm: ['video/webm', 'webm'],
  ogg: ['audio/ogg', 'ogg'],
  mp3: ['audio/mpeg', 'mp3'],
  wav: ['audio/wav', 'wav'],
  exe: ['application/x-msdownload', 'exe'],
  elf: ['application/x-elf', 'elf'],
  macho: ['application/x-mach-binary', 'macho'],
  javaClass: ['application/java-vm', 'class'],
  lnk: ['application/x-ms-shortcut', 'lnk'],
  iso: ['application/x-iso9660-image', 'iso'],
  shell: ['text/x-shellscript', 'sh'],
  html: ['text/html', 'html'],
  svg: ['image/svg+xml', 'svg'],
  xml: ['application/xml', 'xml'],
  ics: ['text/calendar', 'ics'],
  vcard: ['text/vcard', 'vcf'],
  text: 'text',
  utf8: 'text',
  utf16: 'text',
  json: 'text',
  csv: 'text',
  binary: 'binary',
  empty: 'empty',
}

describe('the type of bytes', () => {
  for (const [name, expected] of Object.entries(types)) {
    test(name, async () => {
      const detected = await detect(samples[name as Sample])
      assert.deepEqual(
        detected,
        typeof expected === 'string' ? expected : { mime: expected[0], ext: expected[1] },
      )
    })
  }

  test('a Buffer that is a part of a larger one is read from its own beginning', async () => {
    const whole = Buffer.concat([samples.exe, samples.text, samples.exe])
    const part = whole.subarray(samples.exe.length, samples.exe.length + samples.text.length)
    assert.equal(await detect(part), 'text')
  })
})

describe('HTML', () => {
  for (const html of [
    ...'html head script iframe h1 div font table a style title b body br p'
      .split(' ')
      .map((name) => `<${name}>`),
    ...['<HTML lang=en>', ' \t\r\n<!DOCTYPE HTML>', '<!-- a --><p>', '<!-- a', '<br/>', '<script\nsrc=a>'],
    ...['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', '\xef\xbb\xbf<html>'],
    ...[
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "a" "b"><html>',
      '<x:script xmlns:x="a">',
      '<html>\0\x01',
    ],
  ]) {
    test(`${JSON.stringify(html)} is HTML`, async () => {
      assert.equal(mimeOf(await detect(latin(html))), 'text/html')
    })
  }

  for (const text of [
    '<',
    '<a@example.org> wrote',
    '<pre',
    '<htmlx>',
    'a <html>',
    '<order>',
    '<<b>>',
    '< b>',
  ]) {
    test(`${JSON.stringify(text)} is text`, async () => assert.equal(await detect(latin(text)), 'text'))
  }

  test('UTF-16 with a byte order mark is read', async () => {
    const little = Buffer.from('\ufeff<html><script>', 'utf16le')
    assert.equal(mimeOf(await detect(little)), 'text/html')
    assert.equal(mimeOf(await detect(Buffer.from(little).swap16())), 'text/html')
  })
})

describe('SVG', () => {
  const doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "a.dtd" [ <!ENTITY a "<b>"> ]>'
  for (const svg of [
    ...[
      '<svg>',
      '<SVG\n',
      ' \n<svg/>',
      '\xef\xbb\xbf<svg>',
      '<?xml version="1.0"?>\n<svg>',
      '<!-- <p> -->\n<svg >',
    ],
    ...[
      `<?xml version="1.0"?><!-- a -->\n${doctype}<!-- b --><svg>`,
      '<svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
    ],
    ...['<?xml version="1.0"?><?xml-stylesheet href="a"?><svg>', '<!DOCTYPE svg><svg>'],
  ]) {
    test(`${JSON.stringify(svg)} is SVG`, async () => {
      assert.equal(mimeOf(await detect(latin(svg))), 'image/svg+xml')
    })
  }

  test('text that mentions SVG is text', async () =>
    assert.equal(await detect(latin('an <svg> element')), 'text'))
})

describe('text that begins like a binary format is text', () => {
  for (const text of [
    ...[
      'BMW,320i\n',
      'MZ,Mozambique\n',
      'MAC address: 00-00\n',
      'GIF or PNG?\n',
      'FORM 1040\n',
      'ID3 tags are wrong\n',
    ],
    ...[
      'SQLite does not start',
      'II* is a number',
      'DSD files',
      'solid state drives are fast',
      'RIFF raff',
      'AC1015 is',
    ],
    ...['CWS', 'MSCF', 'PAR1', `G${'x'.repeat(187)}G and so on`, 'regf', 'BLENDER crashes', 'Rar!', 'OggS'],
  ]) {
    test(JSON.stringify(text.slice(0, 30)), async () => {
      assert.equal(await detect(latin(text.padEnd(300, 'x'))), 'text')
    })
  }

  test('an ASCII STL is one by its first facet', async () => {
    assert.equal(mimeOf(await detect(latin('solid cube\n facet normal 0 0 1\n'))), 'model/stl')
  })
})

describe('a file that is longer than the part that is looked at', () => {
  const rest = Buffer.alloc(200_000, 1)
  test('a TIFF with its directory at the end', async () => {
    assert.equal(mimeOf(await detect(tiff(1_000_000).subarray(0, detectionBytes))), 'image/tiff')
  })
  test('a PNG with a large profile', async () => {
    const image = png([['iCCP', rest]])
    assert.equal(mimeOf(await detect(image.subarray(0, detectionBytes))), 'image/png')
  })
  test('an MP3 with a large picture in its tag', async () => {
    const tag = Buffer.concat([latin('ID3\x03\0\0\x00\x0c\x1a\x40'), rest])
    assert.equal(mimeOf(await detect(tag.subarray(0, detectionBytes))), 'audio/mpeg')
  })
  test('a docx whose list of contents comes last', async () => {
    const noise = randomBytes(150_000)
    const document = zip([{ name: 'word/document.xml', content: noise }, { name: '[Content_Types].xml' }])
    assert.ok(document.length > detectionBytes)
    const detected = await detect(document.subarray(0, detectionBytes))
    assert.equal(mimeOf(detected), `${ooxml}.wordprocessingml.document`)
  })
  test('a PDF after spaces', async () => {
    assert.equal(mimeOf(await detect(latin('\r\n\r\n%PDF-1.4\n\x00\x01'))), 'application/pdf')
  })
})

describe('hostile bytes have a type, or none, and are never an error', () => {
  const nested = (depth: number, content: Buffer): Buffer =>
    depth === 0 ? content : nested(depth - 1, gzipSync(content))
  const hostile: Record<string, () => Buffer> = {
    'a ZIP with 10,000 entries': () => zip(Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}` }))),
    'a ZIP with a bomb as its list of contents': () =>
      zip([{ name: '[Content_Types].xml', content: Buffer.alloc(2 ** 26) }]),
    'a ZIP with a bomb that claims to be small': () =>
      zip([{ name: '[Content_Types].xml', content: Buffer.alloc(2 ** 26), claimed: 60_000 }]),
    'a streamed ZIP without the sizes it promises': () =>
      Buffer.concat([
        latin('PK\x03\x04\x14\0\x08\0\x08\0'),
        Buffer.alloc(16),
        latin('\x01\0\0\0a'),
        Buffer.alloc(2 ** 16, 'P'),
      ]),
    'a gzip bomb': () => gzipSync(Buffer.alloc(2 ** 26)),
    'a gzip of gzips': () => nested(20, samples.text),
    'a gzip of a ZIP with many entries': () =>
      gzipSync(zip(Array.from({ length: 10_000 }, () => ({ name: 'a', isStreamed: true })))),
    'byte order marks': () => Buffer.alloc(2 ** 16, Buffer.from([0xef, 0xbb, 0xbf])),
    'ID3 tags': () => Buffer.alloc(2 ** 16, latin('ID3\x03\0\0\0\0\0\0')),
    'an open comment': () => latin(`<!--${'<!--'.repeat(2 ** 14)}`),
    'declarations without an end': () => latin('<!DOCTYPE ['.repeat(2 ** 13)),
    'many instructions': () => latin('<?a?>'.repeat(2 ** 14)),
  }
  for (const [name, bytes] of Object.entries(hostile)) {
    test(name, async () => {
      const detected = await detect(bytes())
      assert.ok(typeof detected === 'object' || detected === 'text' || detected === 'binary')
    })
  }

  test('a GZIP is not inflated, whatever precedes it', async () => {
    // With a tar in it the library would say tar.gz.
    const archive = gzipSync(samples.tar)
    const tagged = Buffer.concat([latin('ID3\x03\0\0\0\0\0\0'), archive])
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), archive])
    for (const bytes of [archive, tagged, marked])
      assert.deepEqual(await detect(bytes), { mime: 'application/gzip', ext: 'gz' })
  })

  test('every sample, cut anywhere', async () => {
    for (const bytes of Object.values(samples))
      for (let length = 1; length < Math.min(bytes.length, 300); length += 7)
        await detect(bytes.subarray(0, length))
  })
})
