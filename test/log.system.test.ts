import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { describeError } from '@backline/server/compose/described-error.ts'
import { prettyLine } from '@backline/server/compose/pretty-log.ts'
import pg from 'pg'
import { clientOf, service } from './harness.ts'
import { endpoint, hookReceiver, localNetworks } from './hooks.ts'
import {
  cleanUp,
  freePort,
  launch,
  postmasterPid,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

after(cleanUp)

/** Sends bytes and resolves with the response. */
async function sendBytes(url: string, text: string): Promise<void> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
  socket.end(text)
  socket.resume()
  await once(socket, 'close')
}

describe('the log', () => {
  test('at level trace has neither secrets nor words of people, wherever a request has them', async () => {
    const word = 'Xylophonist'
    const dataDir = temporaryDirectory()
    const server = await startServer({
      environment: { BACKLINE_DATA_DIR: dataDir, BACKLINE_LOG_LEVEL: 'trace', ...localNetworks },
    })
    const first = clientOf(server.url, (await server.firstKeys()).test)
    const created = await first.post('/v1/api_keys', { name: word, scopes: ['*'] })
    const client = clientOf(server.url, created.body.secret)
    const receiver = await hookReceiver((_, outgoing) => outgoing.writeHead(500).end(word))
    const hook = await endpoint(client, `${receiver.url}?token=${word}`, {
      description: word,
      enabled_events: ['*'],
      headers: { 'x-api-key': `secret-${word}` },
    })
    const rotated = await client.post(`/v1/webhook_endpoints/${hook.id}/rotate_secret`, { grace_seconds: 60 })
    const conversation = await client.post(
      '/v1/conversations',
      {
        external_user_id: word,
        external_id: word,
        subject: word,
        message: { body: word },
        metadata: { [word]: word },
      },
      { 'idempotency-key': word, 'user-agent': word, cookie: word, 'x-other': word, traceparent: word },
    )
    assert.equal(conversation.status, 201)
    const answers = [
      await client.post('/v1/conversations', { external_user_id: 'u', external_id: word }),
      await client.post('/v1/conversations', `{"subject": "${word}`),
      await client.post('/v1/conversations', { [word]: word }),
      await client.post('/v1/conversations', { subject: word }, { 'idempotency-key': word }),
      await client.post('/v1/conversations', 'x'.repeat(2 ** 21) + word),
      await client.post('/v1/conversations', word, { 'content-type': `text/${word}` }),
      await client.post('/v1/message_templates', {
        name: word,
        body: `{{ ${word} | ${word} }} {% ${word} %}`,
      }),
      await client.get(`/v1/conversations?q=${word}`),
      await client.get(`/v1/conversations?${word}=${word}&cursor=${word}`),
      await client.get(`/v1/conversations/${word}`),
      await client.get(`/v1/${word}/%E0%A4%A?${word}`),
      await client.get(`/${word}`),
      await client.get('/v1/workspace', { 'if-none-match': word, 'backline-operator': word, accept: word }),
      await clientOf(server.url, `${created.body.secret.slice(0, -1)}x`).get('/v1/workspace'),
      await client.patch(conversation.headers.get('location')!, { subject: word }, { 'if-match': word }),
    ]
    assert.ok(answers.filter(({ status }) => status >= 400).length > 10)
    await sendBytes(server.url, `GET /${word} HTTP/9.9\r\nAuthorization: ${word}\r\n\r\n`)
    await sendBytes(
      server.url,
      `POST /v1/conversations HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n${word}`,
    )
    await until('the webhook fails', () => receiver.hooks.length > 0)
    process.kill((await postmasterPid(dataDir))!, 'SIGKILL')
    const refused = await until('the database is missed', async () => {
      const headers = { 'idempotency-key': randomUUID() } // with its own key it is not repeated
      const body = { external_user_id: word, subject: word }
      return (await client.post('/v1/conversations', body, headers)).status === 503
    })
    assert.ok(refused)
    await until('the failure is logged', () => /service unavailable|connection lost/.test(server.stdout))
    await server.stop()

    const output = server.stdout + server.stderr
    for (const secret of [word, created.body.secret, hook.secret, rotated.body.secret])
      assert.deepEqual(
        output.split('\n').filter((line) => line.includes(secret)),
        [],
      )
    const lines = server.stdout.split('\n').filter((line) => line.startsWith('{')) // JSON, because this is no terminal
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    const own = requests.find(({ request_id }) => request_id === conversation.headers.get('request-id'))
    assert.deepEqual(Object.keys(own).slice(4), [
      'request_id',
      'method',
      'route',
      'status',
      'key_id',
      'duration_ms',
      'msg',
    ])
    assert.partialDeepStrictEqual(own, {
      method: 'POST',
      route: '/v1/conversations',
      status: 201,
      key_id: created.body.id,
    })
  })

  test('is pretty on a terminal, and where BACKLINE_LOG_FORMAT says so', async (t) => {
    const outputOf = async (environment: Record<string, string>, wrap: (program: string[]) => string[]) => {
      const settings = {
        PORT: String(await freePort()),
        BACKLINE_DATA_DIR: temporaryDirectory(),
        ...environment,
      }
      const program = wrap([process.execPath, 'packages/server/src/main.ts'])
      const server = await launch({
        environment: settings,
        command: program as [string, ...string[]],
      }).ready()
      const { stdout } = server
      await server.stop()
      return stripVTControlCharacters(stdout)
    }
    const pretty = /^\d\d:\d\d:\d\d\.\d{3} info /m
    assert.match(await outputOf({ BACKLINE_LOG_FORMAT: 'pretty' }, (program) => program), pretty)
    if (spawnSync('script', ['--version']).status !== 0)
      return t.diagnostic('no program `script`, which provides a terminal')
    const onTerminal = (program: string[]) => ['script', '-qefc', program.join(' '), '/dev/null']
    assert.match(await outputOf({}, onTerminal), pretty)
  })
})

test('a pretty line shows fields and errors, and no value can control the terminal', () => {
  const err = describeError(new Error('first\u001b[2J', { cause: new TypeError('second') }))
  const entry = {
    level: 50,
    time: 0,
    pid: 1,
    hostname: 'h',
    msg: 'failed',
    route: null,
    name: 'a b\n\u001b',
    n: 1.23456,
    err,
  }
  const shown = prettyLine(`${JSON.stringify(entry)}\n`, false)
  assert.match(shown, /error failed route=null name="a b\\n\\u001b" n=1\.235\n {2}Error: first\\u001b\[2J\n/)
  assert.match(shown, /^ {2}TypeError: second$/m)
  assert.match(shown, /^ +at /m)
  assert.equal(stripVTControlCharacters(shown), shown)
})

describe('an error in the log', () => {
  const api = service()

  test('of PostgreSQL has its code and not the values', async () => {
    const client = new pg.Client(api.connection)
    await client.connect()
    const failure = (statement: string, values: unknown[] = []) =>
      client.query(statement, values).then(
        () => assert.fail('The statement succeeds'),
        (error) => describeError(new Error('failed', { cause: error })),
      )
    const word = 'Xylophonist'
    await client.query('create temp table words (word text unique)')
    await client.query('insert into words values ($1)', [word])
    const shown = [
      await failure('insert into words values ($1)', [word]),
      await failure('select $1::uuid', [word]),
      await failure('select $1::json', [`{"${word}`]),
      await failure('select $1::timestamptz', [word]),
    ]
    await client.end()
    assert.deepEqual(
      shown.map(({ cause }) => cause?.code),
      ['23505', '22P02', '22P02', '22007'],
    )
    assert.ok(shown.every(({ cause }) => cause?.stack?.includes(' at ')))
    assert.ok(!JSON.stringify(shown).includes(word), JSON.stringify(shown))
  })

  test('of a parser has no text', () => {
    const fault = () => JSON.parse('Xylophonist')
    assert.throws(fault, (error) => !JSON.stringify(describeError(error)).includes('Xyl'))
  })
})
