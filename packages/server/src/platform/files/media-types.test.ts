import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Sample, samples } from '@backline/test/file-samples.ts'
import { defaultDeniedExtensions, isDenied } from './denied-types.ts'
import { isShownInline, judgeType } from './media-types.ts'
import { detect } from './type-of-bytes.ts'

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const odt = 'application/vnd.oasis.opendocument.text'

/** Declared types that agree with a sample, apart from `application/octet-stream`. */
const agreeing: Record<Sample, string[]> = {
  png: ['image/png', 'IMAGE/PNG', 'image/x-png', 'image/png; name=a', 'image/apng'],
  jpeg: ['image/jpeg', 'image/jpg', 'image/pjpeg'],
  gif: ['image/gif'],
  webp: ['image/webp'],
  bmp: ['image/bmp', 'image/x-ms-bmp'],
  avif: ['image/avif'],
  heic: ['image/heic', 'image/heif'],
  tiff: ['image/tiff', 'image/x-adobe-dng'],
  ico: ['image/x-icon', 'image/vnd.microsoft.icon'],
  pdf: ['application/pdf', 'application/x-pdf', 'application/illustrator'],
  docx: [word, 'application/zip', 'application/msword'],
  xlsx: [excel, 'application/zip', 'application/vnd.ms-excel'],
  odt: [odt, 'application/x-zip-compressed'],
  zip: [
    'application/zip',
    'application/x-zip-compressed',
    word,
    odt,
    'application/epub+zip',
    'application/vnd.example',
  ],
  jar: ['application/java-archive', 'application/x-java-archive', 'application/zip'],
  apk: ['application/vnd.android.package-archive', 'application/zip'],
  cfb: [
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-outlook',
    word,
    'application/x-hwp',
  ],
  rtf: ['application/rtf', 'text/rtf', 'application/msword', 'text/plain'],
  gzip: ['application/gzip', 'application/x-gzip', 'application/x-tgz', 'application/x-example'],
  tar: ['application/x-tar'],
  sevenZip: ['application/x-7z-compressed'],
  mp4: ['video/mp4', 'audio/mp4', 'video/quicktime'],
  mov: ['video/quicktime', 'video/mp4'],
  m4a: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'],
  webm: ['video/webm', 'audio/webm', 'video/webm;codecs=vp9', 'video/x-matroska'],
  ogg: ['audio/ogg', 'audio/ogg; codecs=opus', 'application/ogg', 'video/ogg'],
  mp3: ['audio/mpeg', 'audio/mp3'],
  wav: ['audio/wav', 'audio/x-wav', 'audio/vnd.wave'],
  exe: ['application/x-msdownload', 'application/vnd.microsoft.portable-executable'],
  elf: ['application/x-elf', 'application/x-sharedlib', 'application/x-executable'],
  macho: ['application/x-mach-binary'],
  javaClass: ['application/java-vm', 'application/java'],
  lnk: ['application/x-ms-shortcut'],
  iso: ['application/x-iso9660-image', 'application/x-cd-image'],
  shell: ['text/x-shellscript', 'application/x-sh', 'text/plain'],
  html: [
    'text/html',
    'text/html; charset=utf-8',
    'application/xhtml+xml',
    'text/plain',
    'application/vnd.ms-excel',
  ],
  svg: ['image/svg+xml', 'application/xml', 'text/xml', 'text/plain'],
  xml: [
    'application/xml',
    'text/xml',
    'image/svg+xml',
    'application/rss+xml',
    'text/plain',
    'application/vnd.ms-excel',
  ],
  ics: ['text/calendar', 'text/plain'],
  vcard: ['text/vcard', 'text/x-vcard', 'text/directory'],
  text: [
    'text/plain',
    'text/plain; charset=utf-8',
    'text/markdown',
    'message/rfc822',
    'application/x-yaml',
    'text/html',
  ],
  utf8: ['text/plain', 'text/csv', 'application/x-subrip'],
  utf16: ['text/plain', 'text/csv; charset=utf-16'],
  json: [
    'application/json',
    'application/ld+json',
    'text/plain',
    'application/problem+json',
    'application/x-example',
  ],
  csv: ['text/csv', 'text/plain', 'application/csv', 'application/vnd.ms-excel'],
  binary: ['application/x-example', 'application/vnd.example', 'audio/mpeg', 'model/stl', 'chemical/x-pdb'],
  empty: ['text/plain', 'image/png', 'application/pdf', word, 'application/x-example', 'no media type'],
}

const images = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/bmp',
  'image/avif',
  'image/x-icon',
]
const binaries = [
  'application/pdf',
  'application/zip',
  'video/mp4',
  'audio/wav',
  word,
  excel,
  odt,
  'font/woff2',
]
const texts = [
  'text/plain',
  'text/csv',
  'application/json',
  'application/vnd.api+json',
  'text/html',
  'image/svg+xml',
]

/** Declared types that contradict a sample. */
const contradicting: [Sample[], string[]][] = [
  [
    ['html', 'svg', 'xml', 'shell', 'text', 'csv', 'json', 'utf16'],
    [...images, ...binaries],
  ],
  [
    ['html', 'svg', 'shell'],
    ['application/x-example', 'application/octet', 'image/x-tga'],
  ],
  [['png', 'pdf', 'zip', 'docx', 'exe', 'elf', 'gzip', 'cfb', 'mp4', 'binary', 'jar'], texts],
  [
    ['jpeg', 'gif', 'pdf', 'zip', 'exe', 'binary', 'mp4', 'cfb', 'tiff'],
    ['image/png', 'image/webp', 'image/avif'],
  ],
  [
    ['png', 'zip', 'docx', 'exe', 'cfb', 'mp4', 'binary', 'gzip'],
    ['application/pdf', 'image/jpeg', 'audio/wav'],
  ],
  [
    ['exe', 'elf', 'macho', 'lnk', 'javaClass'],
    [...images, ...binaries, 'application/x-example', 'application/msword'],
  ],
  [
    ['jar', 'apk'],
    [word, excel, odt, 'application/epub+zip', 'application/pdf'],
  ],
  [
    ['png', 'tar', 'binary'],
    ['application/zip', 'application/gzip', word, odt],
  ],
  [
    ['binary', 'text'],
    ['application/x-msdownload', 'application/java-archive', 'image/heic', 'video/webm'],
  ],
]

describe('a declared type', () => {
  for (const [sample, types] of Object.entries(agreeing)) {
    test(`agrees with ${sample}: ${types.length} types`, async () => {
      const detected = await detect(samples[sample as Sample])
      for (const type of types) assert.deepEqual(judgeType(type, detected), { contentType: type }, type)
    })
  }

  for (const [kinds, types] of contradicting) {
    test(`contradicts ${kinds}: ${types.length} types`, async () => {
      for (const kind of kinds) {
        const detected = await detect(samples[kind])
        for (const type of types)
          if (!agreeing[kind].includes(type))
            assert.equal(judgeType(type, detected), 'mismatch', `${type} over ${kind}`)
      }
    })
  }

  test('says nothing if it is application/octet-stream: the detected type is taken, if there is one', async () => {
    for (const [sample, bytes] of Object.entries(samples)) {
      const detected = await detect(bytes)
      const expected = typeof detected === 'object' ? detected.mime : 'application/octet-stream'
      assert.deepEqual(judgeType('application/octet-stream', detected), { contentType: expected }, sample)
    }
  })
})

describe('types that are shown inline', () => {
  test('are raster images, PDF and plain text', () => {
    for (const type of [...images, 'image/jpg', 'application/pdf', 'text/plain', 'Text/Plain; charset=utf-8'])
      assert.ok(isShownInline(type), type)
    for (const type of [
      ...[
        'text/html',
        'application/xhtml+xml',
        'image/svg+xml',
        'text/xml',
        'application/xml',
        'text/javascript',
      ],
      ...[
        'text/css',
        'text/x-shellscript',
        'application/json',
        'application/octet-stream',
        'image/tiff',
        'video/mp4',
      ],
      ...['text/html; text/plain', 'text/plainx', '', 'multipart/x-mixed-replace'],
    ])
      assert.ok(!isShownInline(type), type)
  })

  test('are never the declared type of other bytes, apart from text that is shown as its source', async () => {
    for (const [sample, bytes] of Object.entries(samples)) {
      const detected = await detect(bytes)
      const shown = [...images, 'image/jpg', 'image/x-ms-bmp', 'image/vnd.microsoft.icon', 'application/pdf']
      const accepted = shown.filter((type) => judgeType(type, detected) !== 'mismatch')
      const isShown = typeof detected === 'object' && isShownInline(detected.mime)
      assert.equal(accepted.length > 0, isShown || detected === 'empty', `${sample}: ${accepted}`)
    }
  })
})

describe('a denied type', () => {
  for (const name of [
    ...[
      'setup.exe',
      'SETUP.EXE',
      'a.txt.exe',
      'a.exe.',
      'a.exe. . ',
      'a.exe\u0000',
      'a.e\u202exe',
      '.exe',
      'a.js',
    ],
    ...[
      'a.PS1',
      'run.sh',
      'a.jar',
      'a.apk',
      'a.deb',
      'a.dmg',
      'dir/a.bat',
      'a.scr\n',
      'a.vbs',
      'a.msi',
      'a.hta',
    ],
  ]) {
    test(`is one by the name ${JSON.stringify(name)}`, () =>
      assert.ok(isDenied(defaultDeniedExtensions, name, null)))
  }

  for (const name of [
    'a.exe.txt',
    'exe',
    'a.exeter',
    'report.pdf',
    'a',
    '',
    'a.',
    'js.json',
    'a.docx',
    'a.html',
  ])
    test(`is not one by the name ${JSON.stringify(name)}`, () =>
      assert.ok(!isDenied(defaultDeniedExtensions, name, null)))

  test('is one by its bytes, whatever the name', async () => {
    const denied: string[] = []
    for (const [sample, bytes] of Object.entries(samples))
      if (isDenied(defaultDeniedExtensions, 'report.pdf', await detect(bytes))) denied.push(sample)
    const expected = ['jar', 'apk', 'exe', 'elf', 'macho', 'javaClass', 'lnk', 'iso', 'shell']
    assert.deepEqual(denied, expected)
  })

  test('is what the list says, in any case, with or without a dot', async () => {
    const list = ['.ZIP', 'Pdf']
    assert.ok(isDenied(list, 'a.zip', null))
    assert.ok(isDenied(list, 'a', await detect(samples.pdf)))
    assert.ok(!isDenied(list, 'a.exe', await detect(samples.exe)))
    assert.ok(!isDenied([], 'a.exe', await detect(samples.exe)))
    assert.ok(isDenied(['gz'], 'a', { mime: 'application/gzip', ext: 'tar.gz' }))
  })

  test('has an extension without a dot, once', () => {
    for (const extension of defaultDeniedExtensions) assert.match(extension, /^[a-z0-9_-]+$/)
    assert.equal(new Set(defaultDeniedExtensions).size, defaultDeniedExtensions.length)
  })
})
