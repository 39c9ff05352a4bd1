import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { expectations, run } from './command-line.ts'
import { succeeded } from './desk.ts'
import { type Client, clientOf } from './harness.ts'
import { envelope, handOver, session, stuffed } from './mail-in.ts'
import { mail, mailbox, processed } from './mails.ts'
import {
  cleanUp,
  freePort,
  launch,
  postmasterPid,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* The listener for mail in real server processes. */

after(cleanUp)

const newId = () => `<${randomUUID()}@example.net>`

const { diagnose } = expectations(run)

describe('a server with BACKLINE_MAIL_LISTEN', { concurrency: 1 }, () => {
  const dataDir = temporaryDirectory()
  let server: ServerProcess
  let client: Client
  let port: number
  before(async () => {
    port = await freePort()
    server = await startServer({
      environment: { BACKLINE_DATA_DIR: dataDir, BACKLINE_MAIL_LISTEN: `lmtp://127.0.0.1:${port}` },
    })
    client = clientOf(server.url, (await server.firstKeys()).test)
  })
  after(() => server?.stop())

  const at = () => ({ host: '127.0.0.1', port })
  const mailsWith = async (id: string) =>
    succeeded(await client.get(`/v1/inbound_emails?header_message_id=${encodeURIComponent(id)}`)).data

  test('says where it listens, and takes mail as soon as it is ready', async (t) => {
    assert.match(server.stdout, new RegExp(`"mail":"lmtp://127\\.0\\.0\\.1:${port}".*listening for mail`))
    const { address } = await mailbox(client)
    const id = newId()
    const connection = await session(t, at())
    assert.match((await handOver(connection, mail({ messageId: id }), [address]))[0]!, /^250 /)
    const [email] = await mailsWith(id)
    assert.equal((await processed(client, email.id)).status, 'created')
  })

  test('has a listener that doctor finds', async () => {
    const place = `lmtp://127.0.0.1:${port}`
    const checked = async (environment: Record<string, string>) =>
      (await diagnose({ ...server.environment, ...environment })).check('mail')
    const found = await checked({})
    assert.deepEqual([found.status, found.detail], ['ok', `${place} answers`])
    const elsewhere = { BACKLINE_MAIL_LISTEN: `lmtp:${join(temporaryDirectory(), 'lmtp')}` }
    const missing = await checked(elsewhere)
    assert.equal(missing.status, 'fault')
    assert.match(missing.advice!, /BACKLINE_MAIL_LISTEN/)
    const alone = { BACKLINE_DATA_DIR: join(temporaryDirectory(), 'data'), PORT: String(await freePort()) }
    const unserved = await checked({ ...alone, ...elsewhere })
    assert.deepEqual([unserved.status, unserved.advice], ['ok', null])
  })

  test('whose database is killed within a mail answers 451, and takes it once it is back', async (t) => {
    const { address } = await mailbox(client)
    const raw = mail({ messageId: newId(), body: 'word\r\n'.repeat(100) })
    const connection = await session(t, at())
    await envelope(connection, [address])
    assert.match(await connection.say('DATA'), /^354 /)
    connection.socket.write(raw.slice(0, 200))
    const killed = (await postmasterPid(dataDir))!
    process.kill(killed, 'SIGKILL')
    connection.socket.write(stuffed(raw.slice(200)))
    const reply = await connection.reply()
    assert.match(reply, /^(451 4\.3\.0|250 2\.\d\.0) /) // 250 if the database was back in time
    await until('the mail is taken again', async () => {
      const again = await session(t, at())
      const [known] = await envelope(again, [address])
      if (!known!.startsWith('250')) return assert.match(known!, /^451 4\.3\.0 /)
      await again.say('DATA')
      again.socket.write(stuffed(raw))
      return (await again.reply()).startsWith('250')
    })
    assert.notEqual(await postmasterPid(dataDir), killed)
    const [, id] = /^Message-ID: (.*)\r$/m.exec(raw)!
    const found = await mailsWith(id!)
    assert.equal(found.length, 1)
    assert.equal(found[0].duplicate_count, reply.startsWith('250') ? 1 : 0)
  })

  test('refuses the port of another program by the name of the setting', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    t.after(() => taken.close())
    const { port: ofOther } = taken.address() as { port: number }
    const second = launch({
      environment: {
        PORT: String(await freePort()),
        BACKLINE_DATA_DIR: temporaryDirectory(),
        BACKLINE_MAIL_LISTEN: `smtp://127.0.0.1:${ofOther}`,
      },
    })
    assert.equal((await second.ended()).code, 1)
    assert.match(
      second.stderr,
      /cannot listen for mail on smtp:.*EADDRINUSE.*set BACKLINE_MAIL_LISTEN to another place/,
    )
  })

  test('that is stopped takes the mail that is arriving, answers it, and processes it after its next start', async (t) => {
    const { address } = await mailbox(client)
    const id = newId()
    const raw = mail({ messageId: id })
    const [connection, idle] = [await session(t, at()), await session(t, at())]
    await envelope(connection, [address])
    await connection.say('DATA')
    connection.socket.write(raw.slice(0, 100))
    const stopping = server.stop()
    assert.match(await idle.reply(), /^421 /)
    connection.socket.write(stuffed(raw.slice(100)))
    assert.match(await connection.reply(), /^250 /)
    assert.deepEqual(await stopping, { code: 0, signal: null })
    server = await startServer({ environment: server.environment })
    const [email] = await until('it is there', () => mailsWith(id))
    assert.equal((await processed(client, email.id)).status, 'created')
  })

  test('that is stopped while a client says nothing more answers 421, and ends', async (t) => {
    const { address } = await mailbox(client)
    const connection = await session(t, at())
    await envelope(connection, [address])
    await connection.say('DATA')
    connection.socket.write('Subject: never ends\r\n')
    const stopping = server.stop()
    assert.match(await connection.reply(), /^421 /)
    assert.deepEqual(await stopping, { code: 0, signal: null })
    server = await startServer({ environment: server.environment })
  })

  test('does not listen if it only works', async () => {
    const path = join(temporaryDirectory(), 'lmtp')
    const worker = await startServer({
      environment: {
        BACKLINE_DATA_DIR: temporaryDirectory(),
        BACKLINE_ROLE: 'worker',
        BACKLINE_MAIL_LISTEN: `lmtp:${path}`,
      },
    })
    assert.doesNotMatch(worker.stdout, /listening for mail/)
    await worker.stop()
  })
})
