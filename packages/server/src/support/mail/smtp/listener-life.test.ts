import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { greeted, listener, upToData } from '@backline/test/mail-listener.ts'
import { cleanUp, temporaryDirectory } from '@backline/test/processes.ts'
import { smtpClient } from '@backline/test/smtp-client.ts'
import { type MailListen, parseMailListen } from './listen-setting.ts'

/* Starting and stopping the listener, its setting, and mails that are larger than its memory. */

after(cleanUp)

describe('the setting', () => {
  const cases: [text: string, parsed: MailListen | null][] = [
    ['lmtp://127.0.0.1:24', { protocol: 'lmtp', at: { host: '127.0.0.1', port: 24 } }],
    ['smtp://mail-in.internal:2525', { protocol: 'smtp', at: { host: 'mail-in.internal', port: 2525 } }],
    ['LMTP://[::1]:24', { protocol: 'lmtp', at: { host: '::1', port: 24 } }],
    ['lmtp:/run/backline/lmtp', { protocol: 'lmtp', at: { path: '/run/backline/lmtp' } }],
    ['lmtp:/run/a b', { protocol: 'lmtp', at: { path: '/run/a b' } }],
    ['smtp:/run/backline/smtp', null],
    ['lmtp:run/backline', null],
    [`lmtp:/${'x'.repeat(103)}`, null],
    ['lmtp://127.0.0.1', null],
    ['lmtp://127.0.0.1:0', null],
    ['lmtp://127.0.0.1:65536', null],
    ['lmtp://127.0.0.1:24/', null],
    ['lmtp://[127.0.0.1]:24', null],
    ['lmtp://:24', null],
    ['smtps://127.0.0.1:465', null],
    ['http://127.0.0.1:80', null],
    ['127.0.0.1:24', null],
    ['', null],
  ]
  for (const [text, parsed] of cases) {
    test(`${JSON.stringify(text.slice(0, 40))} is ${parsed ? 'read' : 'refused'}`, () =>
      assert.deepEqual(parseMailListen(text), parsed))
  }
})

describe('a local socket', () => {
  const listenAt = (path: string) => ({ listen: { protocol: 'lmtp', at: { path } } as const })

  test('is for its owner and group, takes mail from anybody who may open it, and goes at the end', async (t) => {
    const path = join(temporaryDirectory(), 'lmtp')
    const { taken, stop } = await listener(t, listenAt(path))
    assert.equal(statSync(path).mode & 0o777, 0o660)
    const client = await greeted(t, { path })
    await upToData(client, ['desk@a.test'])
    assert.match(await client.say('a\r\n.'), /^250 /)
    assert.equal(taken.length, 1)
    await stop()
    assert.equal(existsSync(path), false)
  })

  test('that a server left when it was killed is replaced', async (t) => {
    const path = join(temporaryDirectory(), 'lmtp')
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log())`
    const killed = spawn(process.execPath, ['-e', script])
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    assert.ok(statSync(path).isSocket())
    await listener(t, listenAt(path))
    assert.match(await smtpClient(t, { path }).reply(), /^220 /)
  })

  test('of a server that listens is not taken over, and a file is not removed', async (t) => {
    const path = join(temporaryDirectory(), 'lmtp')
    const other = createServer((socket) => socket.on('error', () => undefined).end('other'))
    other.listen(path)
    await once(other, 'listening')
    t.after(() => other.close())
    await assert.rejects(listener(t, listenAt(path)), { code: 'EADDRINUSE' })
    assert.ok(statSync(path).isSocket())
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, 'mine')
    await assert.rejects(listener(t, listenAt(file)), { code: 'EADDRINUSE' })
    assert.ok(statSync(file).isFile())
  })
})

test('a port that is taken is an error of the start', async (t) => {
  const { port } = await listener(t)
  const listen = { protocol: 'lmtp', at: { host: '127.0.0.1', port: port! } } as const
  await assert.rejects(listener(t, { listen }), { code: 'EADDRINUSE' })
})

describe('a stop', () => {
  test('ends connections without a mail, and waits for the mail that is being taken', async (t) => {
    const store = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const take = async (_envelope: unknown, bytes: Readable) => {
      for await (const _ of bytes);
      arrived.resolve()
      await store.promise
      return 'stored' as const
    }
    const { at, stop } = await listener(t, { take })
    const [idle, busy] = [await greeted(t, at), await greeted(t, at)]
    await upToData(busy, ['desk@a.test'])
    busy.socket.write('a\r\n.\r\n')
    await arrived.promise
    let hasStopped = false
    const stopped = stop().then(() => {
      hasStopped = true
    })
    assert.match(await idle.reply(), /^421 /)
    await assert.rejects(greeted(t, at), 'no further connection')
    await turn()
    assert.equal(hasStopped, false)
    store.resolve()
    assert.match(await busy.reply(), /^250 /)
    assert.match(await busy.reply(), /^421 /)
    await stopped
  })

  test('waits for a mail that is still arriving, and takes it', async (t) => {
    const { at, stop, taken } = await listener(t)
    const client = await greeted(t, at)
    await upToData(client, ['desk@a.test'])
    client.socket.write('Subject: first half\r\n')
    const stopped = stop()
    await turn()
    client.socket.write('\r\nsecond half\r\n.\r\n')
    assert.match(await client.reply(), /^250 /)
    await stopped
    assert.equal(taken.length, 1)
  })

  test('gives up a mail that does not arrive in time', async (t) => {
    const { at, stop, taken } = await listener(t, { limits: { stopMs: 50 } })
    const client = await greeted(t, at)
    await upToData(client, ['desk@a.test'])
    const stopped = stop()
    assert.match(await client.reply(), /^421 /)
    await stopped
    assert.equal(taken.length, 0)
  })
})

test('a client waits while nobody reads its mail', async (t) => {
  const opened = Promise.withResolvers<Readable>()
  const read = Promise.withResolvers<'stored'>()
  const take = (_envelope: unknown, bytes: Readable) => {
    opened.resolve(bytes)
    return read.promise
  }
  const { at } = await listener(t, { take })
  const client = await greeted(t, at)
  await upToData(client, ['desk@a.test'])
  const line = `${'x'.repeat(1_022)}\r\n`
  const size = 20 * 2 ** 20
  client.socket.write(line.repeat(size / 1_024))
  client.socket.write('.\r\n')
  const bytes = await opened.promise
  // The client has written all that it can: nothing moves until somebody reads.
  for (let before = -1; before !== client.socket.bytesWritten - client.socket.writableLength; ) {
    before = client.socket.bytesWritten - client.socket.writableLength
    for (let i = 0; i < 1_000; i++) await turn()
  }
  assert.ok(client.socket.writableLength > 0, 'everything was buffered on the way')
  assert.ok(bytes.readableLength <= 256 * 1024)
  let total = 0
  for await (const piece of bytes) total += piece.length
  assert.equal(total, size)
  read.resolve('stored')
  assert.match(await client.reply(), /^250 /)
})
