import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { type Client, clientOf } from './harness.ts'
import {
  attemptsOf,
  feed,
  idOf,
  linesOf,
  listening,
  receiver,
  run,
  type Source,
  startSource,
  write,
} from './listening.ts'
import { cleanUp, freePort, type ServerProcess, startServer, until } from './processes.ts'

after(cleanUp)

describe('listen, when something is wrong,', { concurrency: 1 }, () => {
  let source: Source
  let server: ServerProcess
  /** Another server on the same database, for writes while the first one is down. */
  let other: ServerProcess
  let client: Client
  before(async () => {
    source = await startSource()
    ;({ server, client } = source)
    other = await startServer({ environment: { ...server.environment, PORT: String(await freePort()) } })
  })
  after(async () => {
    await Promise.all([server?.stop(), other?.stop()])
    await source?.drop()
  })

  const from = () => ['--key', client.key, '--url', server.url]

  test('the server restarts, and nothing is missed or doubled of what happens meanwhile', async (t) => {
    const to = await receiver(t)
    const happened = await feed(client)
    const listener = await listening(t, ...from(), '--forward-to', to.url)
    const elsewhere = clientOf(other.url, client.key)
    let isOver = false
    const writing = (async () => {
      let written = 0
      // Pauses, because a slow machine would otherwise have more events to forward than the test waits for.
      for (; !isOver; await pause(5)) await write(elsewhere, `user_${written++}`)
      return written
    })()
    try {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const before = to.deliveries.length
        await until('some are forwarded', () => to.deliveries.length > before + 10)
        await server.stop(signal)
        await until('it says so', () => linesOf(listener).at(-1)?.object === 'connection_lost')
        assert.match(linesOf(listener).at(-1).reason, /^closed by the server$|ECONNRESET/)
        server = await startServer({ environment: server.environment })
        await until('it goes on', () => linesOf(listener).at(-1)?.object === 'attempt')
      }
    } finally {
      isOver = true
    }
    const expected = 3 * (await writing) // end user, conversation, message
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
    await until('it has ended', () => listener.exit, 8_000) // in about 2 s, before the server has news for it
    assert.equal(listener.exit!.code, 1)
    const { error } = JSON.parse(listener.stderr)
    assert.deepEqual([error.code, error.exit_code], ['api_key_invalid', 1])
    assert.equal(error.message, `${server.url} returned 401: The API key is mistyped, unknown or revoked.`)
    assert.equal(linesOf(listener).at(-1).object, 'summary')
    assert.ok(!(listener.stdout + listener.stderr).includes(secret))
  })

  test('what cannot work is said at once, without the key', async () => {
    const unknown = newKeySecret('test')
    const { body: narrow } = await client.post('/v1/api_keys', { name: 'Narrow', scopes: ['tags:read'] })
    const nowhere = `http://127.0.0.1:${await freePort()}`
    const hook = ['--forward-to', 'http://127.0.0.1:3000/hook']
    const cases: [code: 1 | 2, message: RegExp, args: string[]][] = [
      [2, /^--key must be a complete API key/, ['--key', client.key.slice(0, -1), ...hook]],
      [
        2,
        /^--forward-to must be an http:\/\/ or https:\/\/ URL, not "localhost:3000"/,
        [...from(), '--forward-to', 'localhost:3000'],
      ],
      [2, /^--forward-to must be .* not "bkl_test_…"/, [...from(), '--forward-to', client.key]],
      [2, /^--forward-to must be a URL without a user/, [...from(), '--forward-to', 'http://me:geheim@a/']],
      [2, /^too many arguments .*: bkl_test_…\.$/, [client.key, ...from(), ...hook]],
      [
        2,
        /^--url must be a URL without a query/,
        ['--key', client.key, '--url', `${server.url}?x=1`, ...hook],
      ],
      [2, /^--payload must be full or thin/, [...from(), ...hook, '--payload', 'slim']],
      [1, /returned 401: The API key is mistyped/, ['--key', unknown, '--url', server.url, ...hook]],
      [1, /returned 403: /, ['--key', narrow.secret, '--url', server.url, ...hook]],
      [
        1,
        /returned 400: --events must be a comma-separated list of event types/,
        [...from(), ...hook, '--events', 'conversation'],
      ],
      [1, /returned 400: --events must/, [...from(), ...hook, '--events', '']],
      [1, /returned 400: The cursor/, [...from(), ...hook, '--since', 'yesterday']],
      [1, /^--since must be a cursor, and is empty/, [...from(), ...hook, '--since', '']],
      [
        1,
        /^cannot stream events from .*ECONNREFUSED.*; is the server running\? Set --url/,
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
