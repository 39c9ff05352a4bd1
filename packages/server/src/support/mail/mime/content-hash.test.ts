import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ContentHash, type Fingerprint } from './content-hash.ts'

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

function fingerprint(mail: string | Buffer, chunkLength = () => Number.POSITIVE_INFINITY): Fingerprint {
  const bytes = Buffer.from(mail)
  const hash = new ContentHash()
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + chunkLength(), bytes.length)
    const chunk = Uint8Array.from(bytes.subarray(at, end))
    hash.write(chunk)
    chunk.fill(0) // the caller may use its buffer again
    at = end
  }
  return hash.end()
}

const mail =
  'Received: x\r\nMessage-ID: <a@b>\r\nFrom: Ada\r\n <ada@x.example>\r\nTo: help@desk.example\r\nDate: Mon, 1 Jan 2024 10:00:00 +0000\r\nSubject: =?utf-8?Q?=C3=BC?=\r\n\r\nHello\r\n\r\nyou\r\n'
const hashOf = (text: string | Buffer) => fingerprint(text).contentHash

const same: [name: string, other: string][] = [
  ['line ends', mail.replaceAll('\r\n', '\n')],
  ['bare carriage returns in the body', mail.replace('Hello\r\n\r\nyou\r\n', 'Hello\r\ryou\r')],
  ['empty lines at its end', `${mail}\r\n\n\r\n`],
  ['no line end at its end', mail.trimEnd()],
  ['other headers', `X-Spam: no\r\n${mail.replace('To: help@desk.example', 'To: other@desk.example')}`],
  ['the folding of a header', mail.replace('Ada\r\n <', 'Ada <')],
  ['the case of header names', mail.replace('Message-ID', 'Message-Id')],
  ['empty lines before its headers', `\r\n${mail}`],
]
for (const [name, other] of same)
  test(`a copy that differs in ${name} has the same content hash and another SHA-256`, () => {
    assert.equal(hashOf(other), hashOf(mail))
    assert.notEqual(fingerprint(other).sha256, fingerprint(mail).sha256)
  })

const different: [name: string, other: string][] = [
  ['the Message-ID', mail.replace('<a@b>', '<a@c>')],
  ['From', mail.replace('ada@x', 'bo@x')],
  ['a second From', `From: bo@x.example\r\n${mail}`],
  ['Date', mail.replace('10:00', '11:00')],
  ['Subject', mail.replace('=C3=BC', '=C3=BD')],
  ['the body', mail.replace('Hello', 'hello')],
  ['an empty line within the body', mail.replace('Hello\r\n', 'Hello\r\n\r\n')],
  ['a space at the end of the body', `${mail} `],
  ['a value that moved to another header', mail.replace('<a@b>', '').replace('Subject: ', 'Subject: <a@b>')],
]
for (const [name, other] of different)
  test(`a mail that differs in ${name} has another content hash`, () => {
    assert.notEqual(hashOf(other), hashOf(mail))
  })

test('without Message-ID and From, or without an end of the headers, the whole bytes are the content', () => {
  for (const text of [
    'Subject: x\r\n\r\nHello',
    '',
    '\r\n\r\n',
    'Hello',
    'From: a@b.example\r\nHello\r\n\r\nyou',
  ]) {
    assert.equal(hashOf(text), createHash('sha256').update(text).digest('hex'), JSON.stringify(text))
    assert.equal(fingerprint(text).sha256, hashOf(text))
  }
})

test('the headers that choose a mailbox are read', () => {
  const { head, sizeBytes } = fingerprint(
    mail.replace(
      'Received: x',
      'Delivered-To: A@desk.example\r\nX-Original-To: b@desk.example\r\nCc: Cy <c@x.example>',
    ),
  )
  assert.deepEqual(head, {
    messageId: '<a@b>',
    from: { address: 'ada@x.example', name: 'Ada' },
    to: [{ address: 'help@desk.example', name: '' }],
    cc: [{ address: 'c@x.example', name: 'Cy' }],
    deliveredTo: ['a@desk.example'],
    xOriginalTo: ['b@desk.example'],
    subject: 'ü',
    date: '2024-01-01T10:00:00.000Z',
  })
  assert.ok(sizeBytes > mail.length)
})

test('headers beyond 256 KiB are not read, and the body behind them counts', () => {
  const long = mail.replace('Subject', `${`X: ${'a'.repeat(1000)}\r\n`.repeat(300)}Subject`)
  assert.equal(fingerprint(long).head.subject, null)
  assert.equal(fingerprint(long).head.messageId, '<a@b>')
  assert.notEqual(hashOf(long), hashOf(long.replace('Hello', 'hello')))
})

const seed = Number(process.env.BACKLINE_TEST_SEED ?? 20_240_101)

test(`the fingerprint does not depend on how the bytes are divided (seed ${seed})`, () => {
  const random = randomOf(seed)
  const long = `${mail}${'\r\n'.repeat(10_000)}end\r\r\n\n\r`
  const mails = [mail, long, mail.replaceAll('\r\n', '\n'), mail.trimEnd(), `\r\n\n${mail}`, 'Hello', '']
  for (const each of mails) {
    const whole = fingerprint(each)
    for (let i = 0; i < 200; i++) {
      const longest = [1, 2, 3, 10, 100, 5000][i % 6]!
      assert.deepEqual(
        fingerprint(each, () => 1 + Math.floor(random() * longest)),
        whole,
      )
    }
  }
})
