import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openThreads } from '../../../platform/kernel/threads.ts'
import { ContentHash } from './content-hash.ts'
import { readEmail } from './reading.ts'

/* Mails that would take a quadratic reader hours or gigabytes. Each is read within the limits of a worker thread. */

const threads = openThreads({ cpuMs: 5000, heapMb: 256, patienceMs: 300_000 })
const directory = mkdtempSync(join(tmpdir(), 'backline-hostile-'))
after(async () => {
  await threads.close()
  rmSync(directory, { recursive: true })
})
const reading = new URL('./reading.ts', import.meta.url).href

async function readInThread(mail: Buffer) {
  const files = mkdtempSync(join(directory, 'files-'))
  const path = join(directory, 'mail')
  writeFileSync(path, mail)
  const email = await threads.run('test', reading, readEmail, { path }, files)
  rmSync(files, { recursive: true })
  return email
}

const from = 'From: a@b.example\n'
const maxBytes = 26_214_400

/** A mail of 25 MiB that repeats the same bytes. */
const filled = (start: string, unit: string): Buffer =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(maxBytes - start.length, Buffer.from(unit, 'latin1'))])

const mixed = `${from}Content-Type: multipart/mixed; boundary=b\n\n--b\n\n`
const long = 'x'.repeat(60)
const nested = (levels: number) =>
  from +
  Array.from(
    { length: levels },
    (_, i) => `Content-Type: multipart/mixed; boundary=${long}${i}\n\n--${long}${i}\n`,
  ).join('')

const mails: Record<string, () => Buffer> = {
  'line feeds alone': () => filled(`${from}\n`, '\n'),
  'a body of line breaks': () => filled(`${from}\n`, '\r\n'),
  '1,000,000 empty lines before the headers': () => Buffer.from('\n'.repeat(1_000_000) + from),
  'headers alone': () => filled('', 'a:\n'),
  'one header that is folded over and over': () => filled('Subject: a\n', ' \n'),
  'one header without an end': () => filled('Subject: ', 'a'),
  'lines between headers that are none': () => filled(from, 'a\n'),
  'lines that look like boundaries': () => filled(mixed, '--b-\n'),
  'boundaries that begin alike on 50 levels': () => filled(`${nested(50)}\n`, `--${long}\n`),
  'flowed lines': () => filled(`${from}Content-Type: text/plain; format=flowed\n\n`, '> a \n'),
  'Base64 with padding after each character': () =>
    filled(`${from}Content-Transfer-Encoding: base64\n\n`, 'A='),
  'Base64 of a file': () =>
    filled(`${from}Content-Type: image/png\nContent-Transfer-Encoding: base64\n\n`, 'VGhp\n'),
  'soft line breaks': () => filled(`${from}Content-Transfer-Encoding: quoted-printable\n\n`, '= '),
  'UTF-16 with line breaks': () =>
    filled(`${from}Content-Type: text/plain; charset=utf-16le\n\n`, 'a\0\r\0\n\0'),
  'ISO-2022-JP with an escape in each character': () =>
    filled(`${from}Content-Type: text/plain; charset=iso-2022-jp\n\n`, '\x1b$B$3\x1b(B'),
  'text that HTML has to escape': () =>
    filled(`${mixed}<\n--b\nContent-Type: text/html\n\n<p>\n--b\n\n`, '<\n'),
  'beginnings of PGP': () => filled(`${from}\n`, '\n-----BEGIN PGP MESSAGE-----'),
  'reports about recipients': () =>
    filled(`${from}Content-Type: message/delivery-status\n\n`, 'Final-Recipient: rfc822; a@b.example\n\n'),
  'a mail in a mail': () => filled(`${from}Content-Type: message/rfc822\n\nFrom: x@y.example\n\n`, 'a\n'),
  'parts of many lines': () => Buffer.from(mixed + `--b\n\n${'a\n'.repeat(13_000)}`.repeat(900)),
}

for (const [name, mail] of Object.entries(mails))
  test(`a mail of ${name} is read within the limits`, async () => {
    assert.ok(!('refused' in (await readInThread(mail()))))
  })

const values: Record<string, string> = {
  addresses: 'a@b.c,',
  groups: 'a:',
  quotes: '"a',
  'unclosed comments': 'a (',
  parentheses: '(',
  brackets: '<',
  'closing brackets': 'a@b.c>',
  'at signs': 'a@',
  'encoded words': '=?utf-8?B?YQ==?= ',
  'encoded words without an end': '=?utf-8?Q?',
  'charsets that are unknown': '=?x-no?Q?=FC?=',
  backslashes: '"\\',
  commas: ',',
  parameters: 'a*0*=%41;',
  spaces: ' x',
}

for (const [name, unit] of Object.entries(values))
  test(`headers of ${name} are read within the limits`, async () => {
    for (const header of [
      'From',
      'References',
      'Subject',
      'Date',
      'Content-Type: a/b; x',
      'X-Failed-Recipients',
    ]) {
      const bytes = `${header}: ${unit.repeat(260_000 / unit.length)}\n\nHello`
      assert.ok(!('refused' in (await readInThread(Buffer.from(bytes)))), header)
    }
  })

test('1,000,000 addresses and 100,000 nested parentheses are read, as far as headers count', async () => {
  for (const value of [
    'a@b.example, '.repeat(1_000_000),
    `${'('.repeat(100_000)}x${')'.repeat(100_000)} a@b.example`,
  ]) {
    const email = await readInThread(Buffer.from(`To: ${value}\n\nHello`))
    assert.ok(!('refused' in email) && email.to[0]?.address === 'a@b.example')
  }
})

test('the fingerprint of a long mail keeps no more than its first headers', () => {
  for (const unit of ['\n', 'a:\n', ' \n', '\r', 'a']) {
    const hash = new ContentHash()
    const chunk = Buffer.from(unit.repeat(65_536 / unit.length))
    for (let i = 0; i < 100; i++) hash.write(chunk)
    hash.write(Buffer.from('\n\nHello'))
    assert.equal(hash.end().contentHash.length, 64)
  }
})
