import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from './harness.ts'
import {
  attemptsOf,
  feed,
  idOf,
  type Line,
  linesOf,
  listening,
  receiver,
  run,
  type Source,
  startSource,
  verify,
  write,
} from './listening.ts'
import { cleanUp, type ServerProcess, until } from './processes.ts'

after(cleanUp)

describe('listen', { concurrency: 1 }, () => {
  let source: Source
  let server: ServerProcess
  let client: Client
  before(async () => {
    source = await startSource()
    ;({ server, client } = source)
  })
  after(async () => {
    await server?.stop()
    await source?.drop()
  })

  const from = () => ['--key', client.key, '--url', server.url]

  test('forwards every event once and in order, signed so that the official library verifies it', async (t) => {
    const to = await receiver(t)
    const happened = await feed(client)
    const listener = await listening(t, ...from(), '--forward-to', to.url)
    for (let i = 0; i < 3; i++) await write(client)
    const events = await happened()
    const lines = await until(
      'an attempt for each event',
      () => attemptsOf(listener).length === events.length && linesOf(listener),
    )
    const [{ secret, ...first }, ...attempts] = lines
    assert.deepEqual(first, {
      object: 'listening',
      url: server.url,
      environment: 'test',
      events: ['*'],
      forward_to: to.url,
      payload: 'full',
    })
    assert.deepEqual(
      to.deliveries.map(idOf),
      events.map(({ id }) => id),
    )
    for (const [i, delivery] of to.deliveries.entries()) {
      const { timestamp, ...event } = verify(secret, delivery) as Line
      assert.deepEqual(event, events[i])
      assert.equal(delivery.headers['webhook-id'], event.id)
      assert.equal(timestamp, event.created_at)
      const { at, cursor, duration_ms, ...shown } = attempts[i]
      assert.equal(Number(delivery.headers['webhook-timestamp']), Math.floor(Date.parse(at) / 1000))
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
    const happened = await feed(client)
    const filter = ['--events', 'operator.*,message.created', '--payload', 'thin']
    const listener = await listening(t, ...from(), ...filter, '--forward-to', to.url)
    await write(client)
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
    await write(client)
    await until('a failed attempt', () => /message\.created +msg_.*\n/.test(listener.stdout))
    const here = await receiver(t, gone.port)
    here.answer = (response) => response.writeHead(here.deliveries.length === 1 ? 500 : 200).end('thanks')
    await write(client)
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
    const second = await listening(t, ...from(), '--since', cursor!, '--forward-to', again.url)
    await until('all four again', () => attemptsOf(second)[3])
    assert.deepEqual(again.deliveries.map(idOf).slice(2), here.deliveries.map(idOf))
  })

  test('the secret of a key is the same in each run, and another one can be given', async (t) => {
    const environment = { BACKLINE_URL: server.url, BACKLINE_API_KEY: client.key }
    const secretWith = async (...args: string[]) => {
      const listener = run(environment, '--json', '--forward-to', 'http://127.0.0.1:1/', ...args)
      t.after(() => listener.stop('SIGKILL'))
      return (await until('it is connected', () => linesOf(listener)[0])).secret
    }
    const [first, second, withOption, given] = await Promise.all([
      secretWith(),
      secretWith(),
      secretWith(...from()),
      secretWith('--secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
    ])
    assert.equal(second, first)
    assert.equal(withOption, first)
    assert.equal(given, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const short = run(environment, '--forward-to', 'http://127.0.0.1:1/', '--secret', 'whsec_c2hvcnQ=')
    assert.equal((await short.ended()).code, 2)
    assert.match(short.stderr, /^error: --secret must be whsec_ and base64 of at least 24 bytes/)
  })

  test('Ctrl-C does not wait for a receiver that does not answer', async (t) => {
    const to = await receiver(t)
    to.answer = () => undefined
    const listener = await listening(t, ...from(), '--forward-to', to.url)
    await write(client)
    await until('it has come', () => to.deliveries.length === 1)
    assert.deepEqual(await listener.stop('SIGINT'), { code: 0, signal: null })
    const [attempt, summary] = linesOf(listener).slice(1)
    assert.equal(attempt.error, 'stopped before the response')
    const { cursor, ...counts } = summary
    assert.deepEqual(counts, { object: 'summary', events: 1, succeeded: 0, failed: 1 })
    assert.match(cursor, /^[\w-]{40,}$/)
  })

  test('ends when nobody reads what it prints', async (t) => {
    const to = await receiver(t)
    const listener = await listening(t, ...from(), '--forward-to', to.url)
    listener.child.stdout!.destroy()
    await until('it has ended', async () => {
      if (listener.exit) return true
      await write(client)
    })
    assert.deepEqual(listener.exit, { code: 0, signal: null })
  })
})
