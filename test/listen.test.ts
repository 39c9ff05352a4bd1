import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { newKeySecret } from '../src/lib/key-format.ts'
import { cloneDatabase, urlOf } from './databases.ts'
import { type Client, clientOf } from './harness.ts'
import { cleanUp, freePort, launch, type ServerProcess, startServer, until } from './processes.ts'

/* `listen` as a developer runs it: a process between a server and a receiver, all of them real. */

type Delivery = { headers: IncomingHttpHeaders; body: string }
type Answer = (response: ServerResponse, delivery: Delivery) => unknown

type Receiver = { url: string; port: number; deliveries: Delivery[]; answer: Answer; close(): Promise<void> }

async function receiver(t: TestContext, port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() }
    self.deliveries.push(delivery)
    self.answer(response, delivery)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const self: Receiver = {
    url: `http://127.0.0.1:${address.port}/hook`,
    port: address.port,
    deliveries: [],
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  t.after(() => self.close())
  return self
}

// biome-ignore lint/suspicious/noExplicitAny: output is what the tests are about
type Line = any

const linesOf = ({ stdout }: ServerProcess): Line[] =>
  stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

const attemptsOf = (listener: ServerProcess) => linesOf(listener).filter(({ object }) => object === 'attempt')

const run = (environment: Record<string, string>, ...args: string[]) =>
  launch({ environment, command: [process.execPath, 'src/cli/main.ts', 'listen', ...args] })

/** With --json, connected. */
async function listening(t: TestContext, ...args: string[]): Promise<ServerProcess> {
  const listener = run({}, '--json', ...args)
  t.after(() => listener.stop('SIGKILL'))
  await until('it is connected', () => {
    assert.equal(listener.exit, null, listener.output)
    return listener.stdout.includes('\n')
  })
  return listener
}

const idOf = ({ body }: Delivery): string => JSON.parse(body).id

/** Fails as receivers would: a wrong signature, or too long ago. */
const verify = (secret: string, { body, headers }: Delivery) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

after(cleanUp)

describe('listen', { concurrency: 1 }, () => {
  let server: ServerProcess
  /** Another server on the same database, for what happens while the first one is away. */
  let other: ServerProcess
  let client: Client
  let drop = async (): Promise<unknown> => undefined
  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    const environment = { DATABASE_URL: urlOf(database.connection) }
    server = await startServer({ environment })
    client = clientOf(server.url, (await server.firstKeys()).test)
    other = await startServer({ environment })
  })
  after(async () => {
    await Promise.all([server?.stop(), other?.stop()])
    await drop()
  })

  const source = () => ['--key', client.key, '--url', server.url]
  const write = async (by = client, user = 'user_42') => {
    const { status, text } = await by.post('/v1/conversations', {
      external_user_id: user,
      subject: 'Grüße 🔑',
      message: { body: 'Hello' },
    })
    assert.equal(status, 201, text)
  }
  /** Of all that happens from now on, in its order. */
  async function feed(): Promise<() => Promise<Line[]>> {
    const read = async (cursor: string | null) => {
      const events: Line[] = []
      for (let at = cursor; ; ) {
        const page = await client.get(`/v1/events?limit=100${at === null ? '' : `&cursor=${at}`}`)
        assert.equal(page.status, 200, page.text)
        events.push(...page.body.data)
        at = page.body.next_cursor
        if (!page.body.has_more) return { events, at }
      }
    }
    const { at } = await read(null)
    return async () => (await read(at)).events
  }

  test('forwards every event once and in order, signed so that the official library verifies it', async (t) => {
    const to = await receiver(t)
    const happened = await feed()
    const listener = await listening(t, ...source(), '--forward-to', to.url)
    for (let i = 0; i < 3; i++) await write()
    const lines = await until('six attempts', () => attemptsOf(listener)[5] && linesOf(listener))
    const [{ secret, ...first }, ...attempts] = lines
    assert.deepEqual(first, {
      object: 'listening',
      url: server.url,
      environment: 'test',
      events: ['*'],
      forward_to: to.url,
      payload: 'full',
    })
    const events = await happened()
    assert.deepEqual(
      to.deliveries.map(idOf),
      events.map(({ id }) => id),
    )
    for (const [i, delivery] of to.deliveries.entries()) {
      const { timestamp, ...event } = verify(secret, delivery) as Line
      assert.deepEqual(event, events[i])
      assert.equal(delivery.headers['webhook-id'], event.id)
      assert.equal(Number(delivery.headers['webhook-timestamp']), Math.floor(Date.parse(timestamp) / 1000))
      const { at, cursor, duration_ms, ...shown } = attempts[i]
      assert.equal(at, timestamp)
      assert.match(cursor, /^[\w-]{40,}$/)
      assert.ok(duration_ms >= 0 && duration_ms < 15_000)
      assert.deepEqual(shown, {
        object: 'attempt',
        event_id: event.id,
        event_type: event.type,
        resource_id: event.resource.id,
        response_status: 204,
        error: null,
      })
    }
    assert.ok(!listener.stdout.includes(client.key))
  })

  test('thin: without data; --events: no others', async (t) => {
    const to = await receiver(t)
    const happened = await feed()
    const filter = ['--events', 'operator.*,message.created', '--payload', 'thin']
    const listener = await listening(t, ...source(), ...filter, '--forward-to', to.url)
    await write()
    const ada = { name: 'Ada', email: 'ada@example.com' }
    assert.equal((await client.post('/v1/operators', ada)).status, 201)
    const lines = await until('two attempts', () => attemptsOf(listener)[1] && linesOf(listener))
    const [, message, operator] = await happened()
    for (const [i, { data: _, ...event }] of [message, operator].entries()) {
      const { timestamp, ...thin } = verify(lines[0].secret, to.deliveries[i]!) as Line
      assert.deepEqual(thin, event)
    }
    assert.deepEqual((await listener.stop('SIGTERM')).code, 0)
    assert.equal(to.deliveries.length, 2)
  })

  test('for a person: a line an event; a receiver that is down stops nothing; --since sends again', async (t) => {
    const gone = await receiver(t)
    await gone.close()
    const args = ['--key', client.key, '--forward-to', gone.url]
    const listener = run({ BACKLINE_PUBLIC_URL: server.url }, ...args)
    t.after(() => listener.stop('SIGKILL'))
    const [secret] = await until('the secret', () => /whsec_\S+/.exec(listener.stdout))
    assert.match(
      listener.stdout,
      new RegExp(`^Connected to ${server.url}, test environment, events: \\*$`, 'm'),
    )
    await write()
    await until('a failed attempt', () => /message\.created +msg_.*\n/.test(listener.stdout))
    const here = await receiver(t, gone.port)
    here.answer = (response) => response.writeHead(here.deliveries.length === 1 ? 500 : 200).end('thanks')
    await write()
    await until('attempts', () => /message\.created .* 200 .*\n/.test(listener.stdout))
    assert.deepEqual(await listener.stop('SIGINT'), { code: 0, signal: null })
    assert.equal(listener.stderr, '')

    const shown = listener.stdout.split('\n').filter((line) => /^\d{4}-/.test(line))
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'
    const line = (type: string, id: string, status: string, more: string) =>
      new RegExp(`^${time}  ${type} +${id}_\\w{26} +${status}  \\d+ ms${more}$`)
    const refused = `  connect ECONNREFUSED 127\\.0\\.0\\.1:${gone.port}`
    assert.match(shown[0]!, line('conversation.created', 'conv', '---', refused))
    assert.match(shown[1]!, line('message.created', 'msg', '---', refused))
    assert.match(shown[2]!, line('conversation.created', 'conv', '500', ''))
    assert.match(shown[3]!, line('message.created', 'msg', '200', ''))
    assert.equal(shown.length, 4)
    const [, cursor] = /^Forwarded 4 events; 3 failed\.\n.* --since (\S+)\n$/m.exec(listener.stdout)!
    assert.ok(!listener.stdout.includes(client.key))
    for (const delivery of here.deliveries) verify(secret, delivery)

    const again = await receiver(t)
    const second = await listening(t, ...source(), '--since', cursor!, '--forward-to', again.url)
    await until('all four again', () => attemptsOf(second)[3])
    assert.deepEqual(again.deliveries.map(idOf).slice(2), here.deliveries.map(idOf))
  })

  test('the server restarts, and nothing is missed or doubled of what happens meanwhile', async (t) => {
    const to = await receiver(t)
    const happened = await feed()
    const listener = await listening(t, ...source(), '--forward-to', to.url)
    const elsewhere = clientOf(other.url, client.key)
    let isOver = false
    const writing = (async () => {
      let written = 0
      // Pauses, or a slow machine would have more to forward in the end than we wait for.
      for (; !isOver; await pause(5)) await write(elsewhere, `user_${written++}`)
      return written
    })()
    try {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const before = to.deliveries.length
        await until('some are forwarded', () => to.deliveries.length > before + 10)
        await server.stop(signal)
        await until('it says so', () => linesOf(listener).at(-1)?.object === 'connection_lost')
        server = await startServer({ environment: server.environment })
        await until('it goes on', () => linesOf(listener).at(-1)?.object === 'attempt')
      }
    } finally {
      isOver = true
    }
    const expected = 2 * (await writing)
    await until('all are forwarded', () => attemptsOf(listener).length >= expected)
    const events = await happened()
    assert.equal(events.length, expected)
    assert.deepEqual(
      to.deliveries.map(idOf),
      events.map(({ id }) => id),
    )
    const { stdout } = listener
    assert.equal(stdout.match(/"connection_lost"/g)!.length, 2)
    assert.equal(stdout.match(/"connected_again"/g)!.length, 2)
  })

  test('a revoked key ends it with the words of the server, after a summary', async (t) => {
    const to = await receiver(t)
    const created = await client.post('/v1/api_keys', { name: 'Laptop', scopes: ['events:read'] })
    const { id, secret } = created.body
    const args = ['--key', secret, '--url', server.url, '--events', 'api_key.*']
    const listener = await listening(t, ...args, '--forward-to', to.url)
    assert.equal((await client.delete(`/v1/api_keys/${id}`)).status, 204)
    await until('it has ended', () => listener.exit, 8_000) // in about 2 s: sooner than the server has news for it
    assert.equal(listener.exit!.code, 1)
    const { error } = JSON.parse(listener.stderr)
    assert.deepEqual([error.code, error.exit_code], ['api_key_invalid', 1])
    assert.equal(error.message, `${server.url} answered 401: The key is mistyped, unknown or revoked.`)
    assert.equal(linesOf(listener).at(-1).object, 'summary')
    assert.ok(!(listener.stdout + listener.stderr).includes(secret))
  })

  test('Ctrl-C does not wait for a receiver that does not answer', async (t) => {
    const to = await receiver(t)
    to.answer = () => undefined
    const listener = await listening(t, ...source(), '--forward-to', to.url)
    await write()
    await until('it has come', () => to.deliveries.length === 1)
    const startedAtMs = performance.now()
    assert.deepEqual(await listener.stop('SIGINT'), { code: 0, signal: null })
    assert.ok(performance.now() - startedAtMs < 10_000)
    const [attempt, summary] = linesOf(listener).slice(1)
    assert.equal(attempt.error, 'stopped before it had answered')
    const { cursor, ...counts } = summary
    assert.deepEqual(counts, { object: 'summary', events: 1, succeeded: 0, failed: 1 })
    assert.match(cursor, /^[\w-]{40,}$/)
  })

  test('ends when nobody reads what it prints', async (t) => {
    const to = await receiver(t)
    const listener = await listening(t, ...source(), '--forward-to', to.url)
    listener.child.stdout!.destroy()
    await until('it has ended', async () => {
      if (listener.exit) return true
      await write()
    })
    assert.deepEqual(listener.exit, { code: 0, signal: null })
  })

  test('what cannot work is said at once, without the key', async () => {
    const unknown = newKeySecret('test')
    const { body: narrow } = await client.post('/v1/api_keys', { name: 'Narrow', scopes: ['tags:read'] })
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const hook = ['--forward-to', 'http://127.0.0.1:3000/hook']
    const cases: [code: 1 | 2, message: RegExp, args: string[]][] = [
      [2, /^--key must be an API key/, ['--key', client.key.slice(0, -1), ...hook]],
      [
        2,
        /^--forward-to must be an http:\/\/ or https:\/\/ URL, not "localhost:3000"/,
        [...source(), '--forward-to', 'localhost:3000'],
      ],
      [2, /^--forward-to must be .* not "bkl_test_…"/, [...source(), '--forward-to', client.key]],
      [2, /^--forward-to must be a URL without a user/, [...source(), '--forward-to', 'http://me:geheim@a/']],
      [2, /^"bkl_test_…" is one argument too many/, [client.key, ...source(), ...hook]],
      [
        2,
        /^--url must be a URL without a query/,
        ['--key', client.key, '--url', `${server.url}?x=1`, ...hook],
      ],
      [2, /^--payload must be full or thin/, [...source(), ...hook, '--payload', 'slim']],
      [1, /answered 401: The key is mistyped/, ['--key', unknown, '--url', server.url, ...hook]],
      [1, /answered 403: /, ['--key', narrow.secret, '--url', server.url, ...hook]],
      [
        1,
        /answered 400: --events must be names of event types/,
        [...source(), ...hook, '--events', 'conversation'],
      ],
      [1, /answered 400: --events must/, [...source(), ...hook, '--events', '']],
      [1, /answered 400: The cursor/, [...source(), ...hook, '--since', 'yesterday']],
      [1, /answered 400: The cursor/, [...source(), ...hook, '--since', '']],
      [
        1,
        /^cannot follow the events of .*ECONNREFUSED.*; --url says/,
        ['--key', client.key, '--url', nowhere, ...hook],
      ],
    ]
    const keys = [client.key.slice(0, -1), unknown, narrow.secret]
    await Promise.all(
      cases.map(async ([code, message, args]) => {
        const listener = run({}, '--json', ...args)
        assert.equal((await listener.ended()).code, code, listener.output)
        assert.equal(listener.stdout, '')
        const { error } = JSON.parse(listener.stderr)
        assert.match(error.message, message)
        assert.doesNotMatch(listener.stderr, /geheim/)
        for (const key of keys) assert.ok(!listener.stderr.includes(key))
      }),
    )
  })
})
