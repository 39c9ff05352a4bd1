import assert from 'node:assert/strict'
import { test } from 'node:test'
import { file, fromAda, mail, multipart, plain, read, testShapes } from '@backline/test/mime-mails.ts'
import {
  bodyText,
  messageProperties,
  oemCodepage,
  properties,
  tnefFile,
  winmail,
} from '@backline/test/tnef-files.ts'
import { readTnef } from './tnef.ts'

const attached = (bytes: Buffer, text = 'Hello') =>
  multipart('mixed', [plain(text), file('application/ms-tnef; name="winmail.dat"', bytes)], fromAda)

const report = tnefFile(
  'REPORT~1.PDF',
  Buffer.from('%PDF'),
  [0x3707001f, 'Bericht Ü.pdf'],
  [0x0e210003, 7],
  [0x370e001e, 'application/PDF'],
)

testShapes({
  'the files of a winmail.dat are unpacked, with their long names and types': [
    attached(winmail(oemCodepage(1252), report, tnefFile('b.txt', Buffer.from('text')))),
    {
      text: 'Hello',
      files: [
        'Bericht Ü.pdf | application/pdf | attachment | %PDF',
        'b.txt | application/octet-stream | attachment | text',
      ],
    },
  ],
  'an image of a winmail.dat that HTML names is inline': [
    attached(
      winmail(tnefFile('a.png', Buffer.from('png'), [0x3712001f, 'img@x'], [0x370e001f, 'image/png'])),
    ),
    { files: ['a.png | image/png | inline | png'] },
  ],
  'data among the properties of a file': [
    attached(winmail(tnefFile('a.bin', Buffer.alloc(0), [0x37010102, Buffer.from('data')]))),
    { files: ['a.bin | application/octet-stream | attachment | data'] },
  ],
  'the body of a winmail.dat is the text if there is no other': [
    attached(winmail(oemCodepage(1251), bodyText(Buffer.from([0xcf, 0xf0, 0xe8]))), ''),
    { text: 'При', html: null, files: [] },
  ],
  'the body among the properties, as text and HTML': [
    `${fromAda}\n${file('application/vnd.ms-tnef', winmail(messageProperties([0x1000001f, 'Text ü'], [0x10130102, Buffer.from('<p>HTML</p>')])))}`,
    { text: 'Text ü', html: '<p>HTML</p>' },
  ],
  'the body of a winmail.dat does not replace the text of the mail': [
    attached(winmail(bodyText(Buffer.from('Other')), report)),
    { text: 'Hello', html: null },
  ],
  'a winmail.dat of another type is known by its name': [
    multipart(
      'mixed',
      [plain('x'), file('application/octet-stream; name="WINMAIL.DAT"', winmail(report))],
      fromAda,
    ),
    { files: ['Bericht Ü.pdf | application/pdf'] },
  ],
  'a winmail.dat that is cut is attached as it is': [
    attached(winmail(report).subarray(0, -20)),
    { files: ['winmail.dat | application/ms-tnef'], warnings: ['tnef'] },
  ],
  'a winmail.dat without files and text is attached as it is': [
    attached(winmail(oemCodepage(1252))),
    { files: ['winmail.dat | application/ms-tnef'], warnings: ['tnef'] },
  ],
  'a winmail.dat whose body is RTF alone is attached beside its files if there is no other text': [
    `${fromAda}\n${file('application/ms-tnef; name=winmail.dat', winmail(messageProperties([0x10090102, Buffer.from('RTF')]), report))}`,
    {
      text: null,
      files: ['winmail.dat | application/ms-tnef', 'Bericht Ü.pdf | application/pdf'],
      warnings: ['tnef'],
    },
  ],
  'a path in the name of a file is no path': [
    attached(winmail(tnefFile('..\\..\\a.exe', Buffer.from('x')))),
    { files: ['.._.._a.exe'] },
  ],
})

test('a number of properties or a length beyond the end is damage, and nothing is read beyond it', () => {
  const huge = Buffer.from(properties([0x1000001f, 'x']))
  for (const at of [0, 8, 12]) {
    const damaged = Buffer.from(huge)
    damaged.writeUInt32LE(0xffffffff, at)
    const bytes = winmail(messagePropertiesOf(damaged))
    assert.equal(readTnef(bytes, new Set()), null, String(at))
  }
})

const messagePropertiesOf = (value: Buffer) => {
  const attribute = Buffer.from(messageProperties())
  return Buffer.concat([
    attribute.subarray(0, 5),
    Buffer.from(Uint32Array.of(value.length).buffer),
    value,
    Buffer.alloc(2),
  ])
}

test('a mail whose winmail.dat claims a million files is read', async () => {
  const start = Buffer.from('02029006000e00000000000000000000000000000000000000'.padEnd(50, '0'), 'hex')
  const { warnings } = await read(attached(winmail(...Array(5000).fill(start))))
  assert.deepEqual(warnings, ['tnef'])
})

test('a mail of type application/ms-tnef that has no text is a file', async () => {
  const { text, attachments } = await read(mail(`${fromAda}\nContent-Type: application/ms-tnef`, 'x'))
  assert.deepEqual([text, attachments.length], [null, 1])
})
