import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { base64, file, fromAda, html, mail, multipart, plain } from '@backline/test/mime-mails.ts'
import { messageProperties, tnefFile, winmail } from '@backline/test/tnef-files.ts'
import { ContentHash } from './content-hash.ts'
import type { Email } from './email.ts'
import { readEmail } from './reading.ts'

/*
 * BACKLINE_TEST_MAILS is the number of mutated mails, BACKLINE_TEST_SEED the seed of a run, which failures print.
 */
const count = Number(process.env.BACKLINE_TEST_MAILS ?? 2000)
const seed = Number(process.env.BACKLINE_TEST_SEED ?? Date.now() % 1_000_000)

const word = 'Wolkenkuckucksheim'
const status = 'Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1'
const tnef = winmail(
  messageProperties([0x1000001f, word]),
  tnefFile('a.txt', Buffer.from('text'), [0x3707001f, 'b.txt']),
)

/** Mails whose text or HTML contains the word. */
const mails = [
  mail(fromAda, `${word}\n`),
  multipart('alternative', [plain(word), html(`<p>${word}</p>`)], fromAda),
  multipart(
    'mixed',
    [
      multipart('related', [html(`<p>${word}</p>`), file('image/png; name=a.png', 'png', 'Content-ID: <a>')]),
      plain('footer'),
    ],
    fromAda,
  ),
  mail(
    `${fromAda}\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=iso-8859-1`,
    `=FC ${word} =\nmore`,
  ),
  mail(
    `${fromAda}\nContent-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8; format=flowed`,
    base64(`Some ä text \nwith ${word} in it`),
  ),
  multipart(
    'mixed',
    [plain(word), mail('Content-Type: message/rfc822', multipart('mixed', [plain('Inner')], fromAda))],
    fromAda,
  ),
  multipart(
    'report; report-type=delivery-status',
    [
      plain(word),
      mail('Content-Type: message/delivery-status', status),
      mail('Content-Type: text/rfc822-headers', 'Message-ID: <a@b>'),
    ],
    fromAda,
  ),
  multipart(
    'mixed',
    [
      plain(word),
      file("application/pdf; name*0*=utf-8''%C3%BC; name*1=.pdf", 'PDF'),
      mail('Content-Type: text/calendar', 'BEGIN'),
    ],
    fromAda,
  ),
  `${fromAda}\n${file('application/ms-tnef; name=winmail.dat', tnef)}`,
  multipart(
    'mixed',
    [plain(word)],
    'From: =?utf-8?Q?M=C3=BC?= (c (d)) <@x:a@b>, G: b@c; \nReferences: <a@b>\n <c@d>\nDate: Mon, 1 Jan 2024 10:00:00 +0100',
  ),
].map((text) => Buffer.from(text))

const tokens = [
  '\n',
  '\r\n\r\n',
  '\r',
  '\0',
  '--',
  '=?utf-8?Q?=',
  '?=',
  '(',
  ')',
  '"',
  '\\',
  '<',
  '>',
  '@',
  ',',
  ':',
  ';',
  '=',
  '=\n',
  ' ',
  '\x1b$B',
  '\xff',
  '%',
  "*0*=utf-8''%",
  'Content-Type: multipart/mixed; boundary=b\n\n--b\n',
  'Content-Transfer-Encoding: base64\n',
  'charset=utf-16;',
  '-----BEGIN PGP MESSAGE-----\n',
  'From x\n',
].map((token) => Buffer.from(token, 'latin1'))

/** Whole numbers below a limit, which the seed determines (xorshift). */
function numbersOf(start: number): (below: number) => number {
  let state = start * 2_654_435_761 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
type Numbers = ReturnType<typeof numbersOf>
const oneOf = <T>(list: readonly T[], number: Numbers): T => list[number(list.length)]!

function mutate(bytes: Buffer, number: Numbers): Buffer {
  const at = number(bytes.length + 1)
  const end = Math.min(at + number(80), bytes.length)
  const before = bytes.subarray(0, at)
  const other = oneOf(mails, number)
  const changed = Buffer.from(bytes)
  switch (number(7)) {
    case 0:
      if (at < changed.length) changed[at] = number(256)
      return changed
    case 1:
      return Buffer.concat([before, bytes.subarray(end)]) // removed
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]) // repeated
    case 3:
      return Buffer.concat([before, other.subarray(number(other.length))])
    case 4:
      return before.length > 0 ? before : bytes
    case 5:
      return Buffer.concat([before, bytes.subarray(at, end), bytes])
    default:
      return Buffer.concat([before, oneOf(tokens, number), bytes.subarray(at)])
  }
}

/** Changes that lose no text: what a server, a gateway or a careless program does. */
const benign: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\r\n', '\n'),
  (text) => text.replace(/--=_[^\r\n]*--(\r\n)*$/, ''),
  (text) => `Received: from x\r\n\tby y; Mon, 1 Jan 2024 10:00:00 +0000\r\n${text}`,
  (text) => text.replace(/^From:/m, 'fROM :'),
  (text) => text.replace(/^Subject:.*$/m, 'Date: never'),
  (text) => text.replaceAll(/(charset=)("?)[a-z0-9-]+/g, '$1$2x-unknown'),
  (text) => text.replaceAll(/^(--=_[^\r\n]*)$/gm, '$1 \t'),
  (text) => `${text}\r\n\r\n`,
  (text) => text.replace(/^(Subject: )/m, '$1\r\n '),
  (text) => text.replaceAll(/^Content-/gm, 'CONTENT-'),
  (text) => text.replace(/^Content-Type: text\/plain/m, 'Content-Type: text/unknown'),
  (text) => text.replaceAll('==\r\n', '\r\n'),
  (text) => text.replace(/^(To:.*)$/m, '$1 ("unclosed'),
  (text) => `\r\n${text}`, // last, because nothing may come before
]

const directory = mkdtempSync(join(tmpdir(), 'backline-fuzz-'))

async function read(bytes: Buffer) {
  const files = join(directory, 'files')
  mkdirSync(files)
  try {
    const email = await readEmail({ bytes }, files)
    if (!('refused' in email))
      for (const { path, sizeBytes } of email.attachments) assert.equal(statSync(path).size, sizeBytes)
    return email
  } finally {
    rmSync(files, { recursive: true })
  }
}

function assertWellFormed(email: Email, size: number): void {
  const { from, to, cc, text, html, attachments, references, subject, date } = email
  for (const { address, name } of [...from, ...to, ...cc]) {
    assert.match(address, /^[^\s<>]+@[^\s<>]+$/)
    assert.equal(address, address.toLowerCase())
    assert.doesNotMatch(name, /[\r\n\0]/)
  }
  for (const id of references) assert.match(id, /^<[^\s]+>$/)
  assert.doesNotMatch(subject ?? '', /[\r\n\0]/)
  if (date !== null) assert.equal(new Date(date).toISOString(), date)
  for (const body of [text, html])
    if (body !== null) assert.ok(!/[\r\0]/.test(body) && body.length <= 20 * size)
  let total = 0
  for (const { filename, contentType, sizeBytes } of attachments) {
    assert.ok(filename.length > 0 && filename.length <= 255 && !/[/\\\r\n\0]/.test(filename), filename)
    assert.match(contentType, /^[^\s/]+\/[^\s/]+$/)
    total += sizeBytes
  }
  assert.ok(total <= 4 * size, 'the files are not much longer than the mail')
  assert.ok(attachments.length <= 1100)
}

function fingerprint(bytes: Buffer, chunkLength: number) {
  const hash = new ContentHash()
  for (let at = 0; at < bytes.length; at += chunkLength) hash.write(bytes.subarray(at, at + chunkLength))
  return hash.end()
}

test(`${count} mutated mails are read, and their results are well-formed (seed ${seed})`, async () => {
  for (let i = 0; i < count; i++) {
    const number = numbersOf(seed + i)
    let bytes: Buffer = oneOf(mails, number)
    for (let times = 1 + number(6); times > 0; times--) bytes = mutate(bytes, number)
    const email = await read(bytes).catch((error) => {
      throw new Error(`BACKLINE_TEST_SEED=${seed + i}`, { cause: error })
    })
    assert.ok(!('refused' in email) || bytes.length === 0 || email.refused === 'too_complex')
    try {
      if (!('refused' in email)) assertWellFormed(email, bytes.length)
      assert.deepEqual(fingerprint(bytes, 1 + number(40)), fingerprint(bytes, bytes.length || 1))
    } catch (error) {
      throw new Error(`BACKLINE_TEST_SEED=${seed + i}`, { cause: error })
    }
  }
})

test('changes that servers and careless programs make lose no text', async () => {
  for (const [i, bytes] of mails.entries())
    for (const [j, one] of benign.entries())
      for (const [k, other] of benign.slice(j).entries()) {
        const email = await read(Buffer.from(other(one(bytes.toString()))))
        assert.ok(!('refused' in email))
        assert.ok(`${email.text} ${email.html}`.includes(word), `mail ${i}, changes ${j} and ${j + k}`)
      }
  rmSync(directory, { recursive: true })
})
