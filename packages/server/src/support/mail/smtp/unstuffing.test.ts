import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { greeted, listener, upToData } from '@backline/test/mail-listener.ts'
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { unstuff } from './unstuffing.ts'

/* The end of a mail and the dots at the beginning of its lines, however the network cuts them. */

/** Reads pieces as the content of a mail; `rest` is what follows its end, null if it has none. */
async function read(pieces: string[]): Promise<{ content: string; rest: string | null; pieces: number }> {
  const parser = new SMTPStream()
  const stream = parser.startDataMode(1_000)
  unstuff(parser)
  const found = { content: '', pieces: 0 }
  let rest: string | null = null
  stream.on('data', (bytes: Buffer) => {
    found.content += bytes.toString('latin1')
    found.pieces++
  })
  stream.on('end', () => {
    rest = ''
    parser.continue()
  })
  parser.oncommand = (line: Buffer, next: () => void) => {
    rest += `${line}\r\n`
    next()
  }
  for (const piece of pieces) parser.write(Buffer.from(piece, 'latin1'))
  for (let i = 0; i < 10; i++) await turn()
  return { ...found, rest }
}

const cases: [sent: string, content: string, rest: string | null][] = [
  ['a\r\n.\r\n', 'a\r\n', ''],
  ['.\r\n', '', ''],
  ['.\r\nNOOP\r\n', '', 'NOOP\r\n'],
  ['a\r\n.\r\nNOOP\r\n', 'a\r\n', 'NOOP\r\n'],
  ['..\r\n.\r\n', '.\r\n', ''],
  ['...\r\n..a\r\n.\r\n', '..\r\n.a\r\n', ''],
  ['a\r\n..\r\n.\r\n', 'a\r\n.\r\n', ''],
  ['\r\n.\r\n', '\r\n', ''],
  ['a.\r\n.\r\n', 'a.\r\n', ''],
  ['a\r\n.\r\r\n.\r\n', 'a\r\n.\r\r\n', ''],
  ['a\r\n.\r.\r\n.\r\n', 'a\r\n.\r.\r\n', ''],
  ['.a\r\n.\r\n', '.a\r\n', ''],
  // Line ends that are none: nothing after them is a command.
  ['a\n.\r\nQUIT\r\n.\r\n', 'a\n.\r\nQUIT\r\n', ''],
  ['a\n.\nQUIT\r\n.\r\n', 'a\n.\nQUIT\r\n', ''],
  ['a\r\n.\nQUIT\r\n.\r\n', 'a\r\n.\nQUIT\r\n', ''],
  ['a\r.\r\nQUIT\r\n.\r\n', 'a\r.\r\nQUIT\r\n', ''],
  ['a\r.\rQUIT\r\n.\r\n', 'a\r.\rQUIT\r\n', ''],
  ['.\nQUIT\r\n.\r\n', '.\nQUIT\r\n', ''],
  ['a\n..b\r\n.\r\n', 'a\n.b\r\n', ''],
  ['a\r\n.\r', 'a\r\n', null],
  ['a\r\n.', 'a\r\n', null],
]

for (const [sent, content, rest] of cases) {
  test(`${JSON.stringify(sent)} is ${JSON.stringify(content)} in any pieces`, async () => {
    const expected = { content, rest }
    for (let first = 0; first <= sent.length; first++) {
      for (let second = first; second <= sent.length; second++) {
        const pieces = [sent.slice(0, first), sent.slice(first, second), sent.slice(second)]
        const { pieces: _, ...found } = await read(pieces.filter(Boolean))
        assert.deepEqual(found, expected, JSON.stringify(pieces))
      }
    }
    const { pieces: _, ...found } = await read([...sent])
    assert.deepEqual(found, expected)
  })
}

test('lines that begin with a dot are not passed on one by one', async () => {
  const { content, pieces } = await read([`${'..\r\n'.repeat(10_000)}.\r\n`])
  assert.equal(content.length, 30_000)
  assert.equal(pieces, 1)
})

test('the listener reads mails this way, each from its beginning', async (t) => {
  const pieces: number[] = []
  const { at } = await listener(t, {
    async take(_envelope, bytes) {
      let count = 0
      for await (const _ of bytes) count++
      pieces.push(count)
      return 'stored'
    },
  })
  const client = await greeted(t, at)
  for (const _ of [1, 2]) {
    await upToData(client, ['desk@a.test'])
    assert.match(await client.say(`${'..\r\n'.repeat(20_000)}.`), /^250 /)
  }
  for (const count of pieces) assert.ok(count < 100, String(count))
})
