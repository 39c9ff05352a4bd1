import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAda, mail, multipart, plain, read, testShapes } from '@backline/test/mime-mails.ts'
import { decodeText } from './charsets.ts'

/** A mail whose body and subject are bytes of a charset, given in hexadecimal. */
const encoded = (label: string, hex: string): string =>
  mail(
    `From: a@b.example\nSubject: =?${label}?B?${Buffer.from(hex, 'hex').toString('base64')}?=\nContent-Type: text/plain; charset="${label}"\nContent-Transfer-Encoding: base64`,
    Buffer.from(hex, 'hex').toString('base64'),
  )

const charsets: [label: string, hex: string, text: string][] = [
  ['utf-8', 'c3bc e282ac', 'ü€'],
  ['UTF8', 'c3bc', 'ü'],
  ['iso-8859-1', 'fc', 'ü'],
  ['latin1', '80', '€'],
  ['windows-1252', '80', '€'],
  ['iso-8859-2', 'b3', 'ł'],
  ['iso-8859-5', 'bf', 'П'],
  ['iso-8859-6', 'c7', 'ا'],
  ['iso-8859-7', 'e1', 'α'],
  ['iso-8859-8-i', 'e0', 'א'],
  ['iso-8859-9', 'fd', 'ı'],
  ['iso-8859-15', 'a4', '€'],
  ['iso-8859-16', 'a5', '„'],
  ['windows-1250', '9c', 'ś'],
  ['windows-1251', 'cff0e8', 'При'],
  ['windows-1253', 'e1', 'α'],
  ['windows-1254', 'fd', 'ı'],
  ['windows-1255', 'e0', 'א'],
  ['windows-1256', 'c7', 'ا'],
  ['windows-1257', 'e0', 'ą'],
  ['windows-1258', 'fe', '₫'],
  ['windows-874', 'a1', 'ก'],
  ['tis-620', 'a1', 'ก'],
  ['koi8-r', 'f0d2c9', 'При'],
  ['koi8-u', 'a7', 'ї'],
  ['ibm866', '8f', 'П'],
  ['macintosh', '8a', 'ä'],
  ['x-mac-cyrillic', '8f', 'П'],
  ['gb2312', 'c4e3bac3', '你好'],
  ['gbk', 'c4e3', '你'],
  ['gb18030', 'c4e3 8130 8130', '你\u0080'],
  ['big5', 'a741a66e', '你好'],
  ['euc-jp', 'a4b3', 'こ'],
  ['iso-2022-jp', '1b24422433 1b2842', 'こ'],
  ['shift_jis', '82b1', 'こ'],
  ['cp932', '82b1', 'こ'],
  ['euc-kr', 'b0a1', '가'],
  ['ks_c_5601-1987', 'b0a1', '가'],
  ['utf-16le', '6c00fc00', 'lü'],
  ['utf-16be', '006c00fc', 'lü'],
  ['us-ascii', '61', 'a'],
]

for (const [label, hex, text] of charsets)
  test(`${label} is decoded in bodies and encoded words`, async () => {
    const { text: body, subject, warnings } = await read(encoded(label, hex.replaceAll(' ', '')))
    assert.equal(body, text)
    assert.equal(subject, text)
    assert.deepEqual(warnings, [])
  })

const unknown = [
  'utf-7',
  'unknown-8bit',
  'x-unknown',
  'iso-2022-kr',
  'hz-gb-2312',
  'replacement',
  'cp437',
  'ä',
  '*',
]

for (const label of unknown)
  test(`the unknown charset ${label} is read as UTF-8, else windows-1252, with a warning`, () => {
    for (const [hex, expected] of [
      ['c3bc', 'ü'],
      ['fc', 'ü'],
    ] as const) {
      const warnings = new Set<never>()
      assert.equal(decodeText(Buffer.from(hex, 'hex'), label, warnings), expected)
      assert.deepEqual([...warnings], ['charset_unknown'])
    }
  })

const raw = (headers: string, bodyBytes: string) =>
  Buffer.concat([Buffer.from(`${headers}\r\n\r\n`), Buffer.from(bodyBytes, 'latin1')])

testShapes({
  'an encoded word of an unknown charset is read as UTF-8': [
    plain('x', 'From: =?x-no?Q?M=C3=BCller?= <a@b.example>\nSubject: =?x-no?Q?=C3=BC?='),
    { subject: 'ü', from: ['Müller <a@b.example>'], warnings: ['charset_unknown'] },
  ],
  'an encoded word of an unknown charset that is no UTF-8 is read as windows-1252': [
    plain('x', 'From: =?x-no?Q?M=FCller?= <a@b.example>\nSubject: =?x-no?Q?=FC?='),
    { subject: 'ü', from: ['Müller <a@b.example>'], warnings: ['charset_unknown'] },
  ],
  'a body of an unknown charset has a warning': [
    raw('Content-Type: text/plain; charset=x-no', '\xfc'),
    { text: 'ü', warnings: ['charset_unknown'] },
  ],
  'a body without a charset in UTF-8': [raw('From: a@b.example', '\xc3\xbc'), { text: 'ü' }],
  'a body without a charset in windows-1252': [raw('From: a@b.example', '\xfc\x80'), { text: 'ü€' }],
  'a body that claims to be US-ASCII in UTF-8': [
    raw('Content-Type: text/plain; charset=us-ascii', '\xc3\xbc'),
    { text: 'ü' },
  ],
  'HTML with the charset in an element': [
    raw('Content-Type: text/html', '<meta charset="koi8-r">\xf0'),
    { html: '<meta charset="koi8-r">П' },
  ],
  'HTML with the charset in an element of the old form': [
    raw(
      'Content-Type: text/html',
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf',
    ),
    { html: '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">П' },
  ],
  'headers of raw UTF-8': [
    plain('x', 'From: Müller <müller@exämple.de>\nSubject: Grüße'),
    { from: ['Müller <müller@exämple.de>'], subject: 'Grüße' },
  ],
  'headers of raw windows-1252': [
    Buffer.from('From: M\xfcller <a@b.example>\r\nSubject: Gr\xfc\xdfe \x80\r\n\r\nx', 'latin1'),
    { from: ['Müller <a@b.example>'], subject: 'Grüße €' },
  ],
  'a byte order mark is not text': [
    raw('Content-Type: text/plain; charset=utf-8', '\xef\xbb\xbfHello'),
    { text: 'Hello' },
  ],
  'UTF-16 with line breaks of Windows': [
    raw('Content-Type: text/plain; charset=utf-16le', 'a\0\r\0\n\0b\0'),
    { text: 'a\nb' },
  ],
  'a file name of another charset': [
    multipart(
      'mixed',
      [plain('x'), plain('y', "Content-Disposition: attachment; filename*=koi8-r'ru'%F0%D2%C9.txt")],
      fromAda,
    ),
    { files: ['При.txt'] },
  ],
  'a file name of an unknown charset': [
    multipart(
      'mixed',
      [plain('x'), plain('y', "Content-Disposition: attachment; filename*=x-no''%FC.txt")],
      fromAda,
    ),
    { files: ['ü.txt'], warnings: ['charset_unknown'] },
  ],
  'a character that two encoded words share': [
    plain('x', 'Subject: =?utf-8?Q?a=C3?=\n =?utf-8?Q?=BC?='),
    { subject: 'aü' },
  ],
  'an encoded word with a language': [plain('x', 'Subject: =?utf-8*de?Q?=C3=BC?='), { subject: 'ü' }],
  'an encoded word within a word': [plain('x', 'Subject: a=?utf-8?Q?=C3=BC?=b'), { subject: 'aüb' }],
  'an encoded word that is not complete': [
    plain('x', 'Subject: =?utf-8?Q?abc'),
    { subject: '=?utf-8?Q?abc' },
  ],
})
