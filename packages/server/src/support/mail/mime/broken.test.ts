import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  base64,
  file,
  fromAda,
  html,
  mail,
  multipart,
  plain,
  read,
  testShapes,
} from '@backline/test/mime-mails.ts'
import { readEmail } from './reading.ts'

/* Mails that break the rules of MIME. Their text is not lost. */

const mixed = (body: string, boundary = 'b') =>
  `${fromAda}\nContent-Type: multipart/mixed; boundary=${boundary}\n\n${body}`
const encoded = (encoding: string, body: string) =>
  mail(`${fromAda}\nContent-Transfer-Encoding: ${encoding}`, body)

testShapes({
  'no end boundary': [
    mixed('--b\n\nHello\n--b\nContent-Type: text/html\n\n<p>'),
    { text: 'Hello', html: '<div>Hello</div>\n\n<p>' },
  ],
  'no end boundary of the inner multipart': [
    mixed('--b\nContent-Type: multipart/alternative; boundary=i\n\n--i\n\nHello\n--b\n\nAfter\n--b--'),
    { text: 'Hello\n\nAfter' },
  ],
  'a boundary line at the end of the mail without a line break': [
    mixed('--b\n\nHello\n--b'),
    { text: 'Hello' },
  ],
  'a multipart that never uses its boundary is text': [
    mixed('--c\n\nHello\n--c--'),
    { text: '--c\n\nHello\n--c--' },
  ],
  'a multipart without a boundary parameter': [
    `${fromAda}\nContent-Type: multipart/mixed\n\n--x\nContent-Type: text/plain\n\nHello\n--x--`,
    { text: 'Hello' },
  ],
  'a multipart without a boundary at all': [
    `${fromAda}\nContent-Type: multipart/mixed\n\nHello`,
    { text: 'Hello' },
  ],
  'a boundary with white space behind it': [mixed('--b \t\nX: y\n\nHello\n--b-- \n'), { text: 'Hello' }],
  'a boundary that is the beginning of another': [
    mixed('--b\nContent-Type: multipart/mixed; boundary=bb\n\n--bb\n\nInner\n--bb--\n--b\n\nOuter\n--b--'),
    { text: 'Inner\n\nOuter' },
  ],
  'a boundary that ends with hyphens': [
    mixed('--b--\n\nHello\n--b----\nnot text', '"b--"'),
    { text: 'Hello' },
  ],
  'an inner multipart with the boundary of the outer one': [
    mixed('--b\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nInner\n--b--\n--b\n\nOuter\n--b--'),
    { text: 'Inner\n\nOuter' },
  ],
  'the boundary of the outer multipart ends the inner one': [
    mixed('--b\nContent-Type: multipart/mixed; boundary=i\n\n--i\n\nInner\n--b--\n--i\n\nnot text'),
    { text: 'Inner' },
  ],
  'a part without an empty line after its headers': [
    mixed('--b\nHello\n--b\nContent-Type: text/plain\nWorld: of text\n--b--'),
    { text: 'Hello' },
  ],
  'a part whose text follows its headers at once': [
    mixed('--b\nContent-Type: text/plain\nHello there\n--b--'),
    { text: 'Hello there' },
  ],
  'a part without headers': [mixed('--b\n\nHello\n--b--'), { text: 'Hello' }],
  'a part without anything': [mixed('--b\n--b\n\nHello\n--b--'), { text: 'Hello' }],
  'two Content-Types: the first counts': [
    plain('Hello', 'Content-Type: text/html'),
    { text: 'Hello', html: null },
  ],
  'two boundaries: the first counts': [mixed('--b\n\nHello\n--b--', 'b; boundary=c'), { text: 'Hello' }],
  'a Content-Type that is none': [mail('Content-Type: text', 'Hello'), { text: 'Hello' }],
  'a file whose Content-Type is none is a file': [
    multipart('mixed', [file('application; name=a.pdf', 'PDF'), plain('Hello')], fromAda),
    { text: 'Hello', files: ['a.pdf | application/octet-stream | attachment | PDF'] },
  ],
  'a Content-Type with a comment': [
    mail('Content-Type: text/html (of; course); charset=utf-8 (yes)', '<p>ü'),
    { html: '<p>ü' },
  ],
  'a Content-Type with a quote that does not end': [
    mail('Content-Type: text/plain; charset="utf-8', 'ü'),
    { text: 'ü' },
  ],
  'a Content-Type with spaces around equals signs': [
    mail(
      'Content-Type: text/plain ; charset = "iso-8859-1"\nContent-Transfer-Encoding: quoted-printable',
      '=FC',
    ),
    { text: 'ü' },
  ],
  'bare line feeds': [
    `${fromAda}\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\nyou\n--b--\n`,
    { text: 'Hello\nyou' },
  ],
  'bare carriage returns in the text': ['From: a@b.example\r\n\r\na\rb', { text: 'a\nb' }],
  'NUL in the text and in headers': [
    'Subject: a\0b\r\nFrom: a\0@b.example\r\n\r\na\0b',
    { text: 'ab', subject: 'ab', from: ['a@b.example'] },
  ],
  'an unknown transfer encoding': [encoded('x-unknown', 'Hello =41'), { text: 'Hello =41' }],
  'a transfer encoding with a comment': [encoded('(really) BASE64', base64('Hello')), { text: 'Hello' }],
  'Base64 that is text': [encoded('base64', 'Hello, this is text.\n'), { text: 'Hello, this is text.\n' }],
  'Base64 that is text of its alphabet alone': [
    encoded('base64', 'Hello this is text'),
    { text: 'Hello this is text' },
  ],
  'Base64 with a footer of text': [
    encoded('base64', `${base64('Hello, this is the text')}\n-- \nFooter: unsubscribe here!`),
    { text: 'Hello, this is the text\n-- \nFooter: unsubscribe here!' },
  ],
  'Base64 without padding': [encoded('base64', 'SGVsbG8gd29ybGQ'), { text: 'Hello world' }],
  'Base64 with other characters in it': [encoded('base64', 'SGVs*bG8g\nd29-ybGQ=!'), { text: 'Hello world' }],
  'Base64 with padding in each line': [
    encoded('base64', `${base64('Hello ')}\n${base64('a')}\n${base64('b')}`),
    { text: 'Hello ab' },
  ],
  'Base64 that is cut': [encoded('base64', 'SGVsbG8gd29ybG'), { text: 'Hello worl' }],
  'quoted-printable with wrong escapes': [
    encoded('quoted-printable', '100=% =ZZ =4 =\nx='),
    { text: '100=% =ZZ =4 x' },
  ],
  'quoted-printable with lower-case digits and spaces before a soft break': [
    encoded('quoted-printable', '=c3=bc=  \nx'),
    { text: 'üx' },
  ],
  'UTF-8 that is cut within a character': [
    Buffer.from('Content-Type: text/plain; charset=utf-8\n\nHello \xc3', 'latin1'),
    { text: 'Hello \ufffd' },
  ],
  'a mail without headers': ['Hello world\n\nMore', { text: 'Hello world\n\nMore' }],
  'a mail of headers alone': ['Subject: x', { subject: 'x', text: '' }],
  'headers that end without an empty line': [
    'Subject: x\nHello world\nyou',
    { subject: 'x', text: 'Hello world\nyou' },
  ],
  'a line between headers that is none': [
    'Subject: x\nnot a header\nTo: a@b.example\n\nHello',
    { subject: 'x', to: ['a@b.example'], text: 'Hello' },
  ],
  'empty lines before the headers': ['\r\n\n\r\nSubject: x\r\n\r\nHello', { subject: 'x', text: 'Hello' }],
  'the first line of a mbox file': [
    'From a@b.example Mon Jan  1 10:00:00 2024\nSubject: x\n\nHello',
    { subject: 'x', text: 'Hello' },
  ],
  'a space before the colon of a header': ['Subject : x\n\nHello', { subject: 'x' }],
  'a header without a value': ['Subject:\n\nHello', { subject: '' }],
  'no subject': ['From: a@b.example\n\nHello', { subject: null }],
  'a header that is folded over empty lines': [
    'Subject: a\n \n\tb\n\nHello',
    { subject: 'a  b', text: 'Hello' },
  ],
  'a line break in an encoded word is no line break': [
    'Subject: =?utf-8?Q?a=0D=0ABcc:_x?=\n\nHello',
    { subject: 'a Bcc: x' },
  ],
  'a file without content': [
    multipart('mixed', [plain('x'), file('application/pdf; name=a.pdf', '')], fromAda),
    { files: ['a.pdf | application/pdf | attachment | '] },
  ],
  'a file of damaged Base64 is decoded as far as possible': [
    multipart(
      'mixed',
      [
        plain('x'),
        mail('Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64', 'JVBE*Ri0x\n'),
      ],
      fromAda,
    ),
    { files: ['a.pdf | application/pdf | attachment | %PDF-1'] },
  ],
  'a file of an unknown transfer encoding is kept': [
    multipart(
      'mixed',
      [plain('x'), mail('Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: x', 'data')],
      fromAda,
    ),
    { files: ['a.pdf | application/pdf | attachment | data'] },
  ],
  'a mail in a mail that is cut': [
    multipart('mixed', [plain('x'), mail('Content-Type: message/rfc822', 'Subject: Inner')], fromAda),
    { files: ['attachment-1.eml | message/rfc822 | attachment | Subject: Inner'] },
  ],
  'text after the end boundary is no text': [mixed('--b\n\nHello\n--b--\nAfter'), { text: 'Hello' }],
  'text before the first boundary is no text': [mixed('Before\n--b\n\nHello\n--b--'), { text: 'Hello' }],
  'an alternative without parts': [
    `${fromAda}\nContent-Type: multipart/alternative; boundary=b\n\nHello`,
    { text: 'Hello' },
  ],
  'alternatives of the same type are joined': [
    multipart('alternative', [plain('One'), plain('Two')], fromAda),
    { text: 'One\n\nTwo' },
  ],
  'text beside HTML is in both formats': [
    multipart('mixed', [plain('One & two'), html('<p>Three</p>')], fromAda),
    { text: 'One & two', html: '<div>One &amp; two</div>\n\n<p>Three</p>' },
  ],
  'text that is encoded, in capitals': [
    mail('CONTENT-TYPE: TEXT/HTML; CHARSET=UTF-8\nCONTENT-TRANSFER-ENCODING: QUOTED-PRINTABLE', '=C3=BC'),
    { html: 'ü' },
  ],
  'a plain text that claims to be flowed HTML is not joined': [
    mail('Content-Type: text/html; format=flowed; delsp=yes', '<scr \nipt>'),
    { html: '<scr \nipt>' },
  ],
  'headers beyond 256 KiB do not count': [
    `Subject: x\n${`X-Long: ${'a'.repeat(990)}\n`.repeat(300)}To: a@b.example\n\nHello`,
    { subject: 'x', to: [], text: 'Hello', warnings: ['headers_truncated'] },
  ],
  'headers beyond 256 KiB without an end lose no text': [
    `Subject: x\n${'y'.repeat(270_000)}\nHello`,
    { subject: 'x', text: `${'y'.repeat(270_000)}\nHello`, warnings: ['headers_truncated'] },
  ],
})

const nested = (levels: number) =>
  `${Array.from({ length: levels }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`).join('')}\nHello`
const wide = (parts: number) => mixed('--b\n\nHello\n'.repeat(parts))

for (const [name, bytes, refused] of [
  ['51 levels', nested(51), 'too_complex'],
  ['5,000 levels', nested(5000), 'too_complex'],
  ['1,001 parts', wide(1001), 'too_complex'],
  ['no bytes', '', 'unparseable'],
  ['more than 25 MiB', 'a'.repeat(26_214_401), 'unparseable'],
] as const)
  test(`a mail of ${name} is refused`, async () => {
    assert.deepEqual(await readEmail({ bytes: Buffer.from(bytes) }, '/nonexistent'), { refused })
  })

test('a mail of 50 levels and one of 1,000 parts are read', async () => {
  assert.equal((await read(nested(50))).text, 'Hello')
  assert.equal((await read(wide(1000))).text?.trimEnd(), Array(1000).fill('Hello').join('\n\n'))
})
