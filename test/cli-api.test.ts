import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { type Environment, expectations, run, runWithInput } from './command-line.ts'
import { succeeded } from './desk.ts'
import { service, type World } from './harness.ts'
import { cleanUp, freePort, launch, type ServerProcess, temporaryDirectory, until } from './processes.ts'

/* Commands that call the API: `api` and `events tail`. */

const { succeed, json, refuse } = expectations(run)

after(cleanUp)

describe('api', { concurrency: 1 }, () => {
  const api = service()
  let world: World
  let environment: Environment
  before(async () => {
    world = await api.world()
    environment = { BACKLINE_URL: api.url, BACKLINE_API_KEY: world.test.key, XDG_CONFIG_HOME: '/nonexistent' }
  })
  const post = (...args: string[]) => json(environment, 'api', 'post', ...args)

  test('the response is printed unchanged, for a full and for a short path', async () => {
    const { text } = await world.test.get('/v1/workspace')
    for (const path of ['/v1/workspace', 'v1/workspace', 'workspace'])
      assert.equal(await succeed(environment, 'api', 'get', path), `${text}\n`)
  })

  test('--include shows status and headers, too', async () => {
    const text = await succeed(environment, 'api', 'get', 'workspace', '-i')
    assert.match(text, /^HTTP 200 OK\n(?:[a-z-]+: .*\n)*request-id: req_\w+\n(?:[a-z-]+: .*\n)*\n\{"id":"ws_/)
    const { status, headers, body } = await json(environment, 'api', 'get', 'workspace', '--include')
    assert.deepEqual([status, body.object, typeof headers['request-id']], [200, 'workspace', 'string'])
  })

  test('--operator acts for an operator, by id or by e-mail address', async () => {
    const email = 'grace@example.com'
    const { id } = succeeded(await world.test.post('/v1/operators', { name: 'Grace', email }))
    const { id: conversation } = await post('conversations', '-f', 'external_user_id=user_1')
    for (const operator of [id, email]) {
      const path = `conversations/${conversation}/followers/me`
      const follower = await json(environment, 'api', 'put', path, '--operator', operator)
      assert.equal(follower.operator_id, id)
      const unread = ['api', 'get', 'notifications/unread_count', '--operator', operator]
      assert.equal((await json(environment, ...unread)).unread, 0)
    }
    const unknown = ['api', 'get', 'notifications', '--operator', 'nobody@example.com']
    await refuse(1, /no operator who is not archived has the e-mail address/, environment, ...unknown)
  })

  test('fields are texts, JSON, members and lists', async () => {
    const fields = [
      'subject=Card = declined',
      'external_user_id=user_1',
      'metadata[plan]=pro',
      'tags[]=a',
      'tags[]=b',
    ]
    const more = ['message:={"body": "Hello"}']
    const created = await post('conversations', ...[...fields, ...more].flatMap((field) => ['-f', field]))
    assert.deepEqual(
      [created.subject, created.metadata, created.tags, created.message_count],
      ['Card = declined', { plan: 'pro' }, ['a', 'b'], 1],
    )
    const path = `conversations/${created.id}`
    const patched = await json(
      environment,
      'api',
      'patch',
      path,
      '-f',
      'subject:=null',
      '-f',
      'priority=high',
    )
    assert.deepEqual([patched.subject, patched.priority], [null, 'high'])
    const put = await json(environment, 'api', 'put', `${path}/tags`, '-d', '{"tags": ["c"]}')
    assert.deepEqual(put.tags, ['c'])
  })

  test('a list takes a filter as JSON', async () => {
    const { id } = await post('conversations', '-d', '{"external_user_id": "a", "external_id": "a = b & c"}')
    const filter = 'filter={"field": "external_id", "op": "contains", "value": "= b &"}'
    const { data } = await json(environment, 'api', 'get', 'conversations', '-q', filter)
    assert.deepEqual(
      data.map((each: { id: string }) => each.id),
      [id],
    )
  })

  test('a body comes from an argument, a file or stdin', async () => {
    const file = join(temporaryDirectory(), 'tag.json')
    writeFileSync(file, '{"name": "from a file"}')
    assert.equal((await post('tags', '-d', '{"name": "given"}')).name, 'given')
    assert.equal((await post('tags', '-d', `@${file}`)).name, 'from a file')
    for (const source of ['-', '@-']) {
      const input = JSON.stringify({ name: `stdin ${source}` })
      const { code, stdout } = await runWithInput(input, environment, 'api', 'post', 'tags', '--data', source)
      assert.deepEqual([code, JSON.parse(stdout).name], [0, `stdin ${source}`])
    }
  })

  test('each POST has a new Idempotency-Key, unless one is given', async () => {
    const body = ['-f', 'external_user_id=user_2']
    const ids = await Promise.all([post('conversations', ...body), post('conversations', ...body)])
    assert.notEqual(ids[0].id, ids[1].id)
    const key = ['--idempotency-key', 'again']
    const first = await post('conversations', ...body, ...key)
    assert.equal((await post('conversations', ...body, ...key)).id, first.id)
  })

  test('headers and query parameters are sent', async () => {
    const { id } = await post('operators', '-f', 'name=Ada', '-f', 'email=ada@example.com')
    const conversation = await post('conversations', '-f', 'external_user_id=user_3')
    const path = `conversations/${conversation.id}/claim`
    assert.equal((await post(path, '-H', `Backline-Operator: ${id}`)).assignee_id, id)
    const query = ['-q', `assignee_id=${id}`, '-q', 'limit=1']
    const { data } = await json(environment, 'api', 'get', 'conversations', ...query)
    assert.deepEqual(
      data.map((found: { id: string }) => found.id),
      [conversation.id],
    )
  })

  test('the exit code tells the class of the status, and the problem is printed', async () => {
    const missing = await run(environment, 'api', 'get', 'tags/tag_01kah1vgm0e1tbm5ye8n2m9q7c')
    assert.deepEqual([missing.code, JSON.parse(missing.stdout).code], [4, 'not_found'])
    const deleted = await post('tags', '-f', 'name=short-lived')
    assert.equal(await succeed(environment, 'api', 'delete', `tags/${deleted.id}`), '')
  })

  test('--all prints the items of all pages, one a line', async () => {
    for (let i = 0; i < 5; i++) await world.test.post('/v1/categories', { name: `Category ${i}` })
    const { code, stdout } = await runWithInput('', environment, 'api', 'get', 'categories?limit=2', '--all')
    assert.equal(code, 0)
    const names = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name)
    assert.deepEqual(
      names.sort(),
      [0, 1, 2, 3, 4].map((i) => `Category ${i}`),
    )
    const reader = launch({
      environment,
      command: ['bash', '-c', 'node packages/cli/src/main.ts api get "categories?limit=1" --all | head -n 1'],
    })
    assert.equal((await reader.ended()).code, 0, reader.output)
    const wrong = await run(environment, 'api', 'get', 'categories', '--all', '-q', 'limit=x')
    assert.deepEqual([wrong.code, JSON.parse(wrong.stdout).code], [4, 'invalid_query'])
  })

  test('what is typed wrongly is said in a line, and nothing is sent', async () => {
    const says = (message: RegExp, ...args: string[]) => refuse(2, message, environment, 'api', ...args)
    await says(/PATH must be a path; --url has the server/, 'get', 'https://example.com/v1/tags')
    await says(/a stream does not end; use events tail/, 'get', 'events/stream')
    await says(/--data is not valid JSON: /, 'post', 'tags', '-d', '{name: x}')
    await says(/--data cannot read nowhere\.json: ENOENT/, 'post', 'tags', '-d', '@nowhere.json')
    await says(/--data and --field exclude each other/, 'post', 'tags', '-d', '{}', '-f', 'name=x')
    await says(/--field must be NAME=TEXT, .*not "name"/, 'post', 'tags', '-f', 'name')
    await says(/--field name:= must be followed by JSON/, 'post', 'tags', '-f', 'name:=x')
    await says(/--field "name=y" contradicts an earlier one/, 'post', 'tags', '-f', 'name=x', '-f', 'name=y')
    await says(/--field "name\[a\]=y" contradicts/, 'post', 'tags', '-f', 'name=x', '-f', 'name[a]=y')
    await says(/--header must be NAME:VALUE/, 'get', 'tags', '-H', 'X-Nothing')
    await says(/--header is not valid in HTTP/, 'get', 'tags', '-H', 'X Name: x')
    await says(/unknown option '--dta' \(Did you mean --data\?\)/, 'post', 'tags', '--dta', '{}')
    await says(/unknown command 'pots' \(Did you mean post\?\)/, 'pots', 'tags')
    await refuse(
      2,
      /BACKLINE_API_KEY must be a complete API key/,
      { ...environment, BACKLINE_API_KEY: world.test.key.slice(0, -1) },
      'api',
      'get',
      'tags',
    )
  })

  test('events tail prints the events of the chosen types as the feed shows them', async (t) => {
    const tail = launch({
      environment,
      command: [process.execPath, 'packages/cli/src/main.ts', 'events', 'tail', '--types', 'tag.*'],
    })
    const asJson = launch({
      environment,
      command: [process.execPath, 'packages/cli/src/main.ts', 'events', 'tail', '--json', '--types', 'tag.*'],
    })
    t.after(() => Promise.all([tail, asJson].map((each) => each.stop('SIGKILL'))))
    await until('it is connected', () => tail.stderr.includes('Connected to'))
    let made = 0
    await until('events arrive', async () => {
      await world.test.post('/v1/tags', { name: `tail ${made++}` }) // `--json` does not say when it is connected
      return asJson.stdout.includes('\n') && tail.stdout.includes('\n')
    })
    const event = JSON.parse(asJson.stdout.split('\n')[0]!)
    const { body } = await world.test.get(`/v1/events?types=tag.*&resource_id=${event.resource.id}`)
    assert.deepEqual(event, body.data[0])
    assert.match(tail.stdout, /^\d{4}-\S+Z {2}tag\.created +tag_\w{26} +api_key +tail 0\n/)
    assert.equal((await tail.stop('SIGINT')).code, 0)
    assert.match(tail.stderr, /To continue from here, run the same command with --since \S+\n$/)
  })

  test('events tail shows one conversation and its messages, from a cursor on', async (t) => {
    const [one, other] = await Promise.all([
      post('conversations', '-f', 'external_user_id=user_4'),
      post('conversations', '-f', 'external_user_id=user_5'),
    ])
    const { resume_cursor } = (await world.test.get('/v1/events?limit=1')).body
    const options = ['--conversation', one.id, '--since', resume_cursor]
    const tail = launch({
      environment,
      command: [process.execPath, 'packages/cli/src/main.ts', 'events', 'tail', '--json', ...options],
    })
    t.after(() => tail.stop('SIGKILL'))
    for (const { id } of [other, one])
      succeeded(
        await world.test.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', body: 'Hello' }),
      )
    const lines = await until(
      () => `two events, not ${tail.stdout}${tail.stderr}`,
      () => tail.stdout.split('\n').length > 2 && tail.stdout.trim().split('\n'),
    )
    const events = lines.map((line) => JSON.parse(line))
    assert.deepEqual(
      events.map(({ type }) => type),
      ['conversation.created', 'message.created'],
    )
    assert.deepEqual([events[0].resource.id, events[1].data.object.conversation_id], [one.id, one.id])
  })

  test('requests tail prints each request once, with the chosen status, after it is in the log', async (t) => {
    const { body } = await world.test.get('/v1/workspace')
    const options = ['--status', '4xx', '--since', body.created_at]
    const [tail, asJson] = [[], ['--json']].map((more) =>
      launch({
        environment,
        command: [process.execPath, 'packages/cli/src/main.ts', 'requests', 'tail', ...options, ...more],
      }),
    ) as [ServerProcess, ServerProcess]
    t.after(() => Promise.all([tail, asJson].map((each) => each.stop('SIGKILL'))))
    const { headers } = await world.test.get('/v1/tail_of_requests')
    const id = headers.get('request-id')!
    await until('it is printed', () => tail.stdout.includes(id) && asJson.stdout.includes(id))
    await world.test.get('/v1/another')
    await until('the next one is printed', () => tail.stdout.includes('/v1/another'))
    const lines = tail.stdout.split('\n').filter((line) => line.includes('/v1/tail_of_requests'))
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /^\S+Z {2}req_\w{26} {2}404 {2}GET +\d+ ms {2}\S+ {2}route_not_found$/)
    const json = asJson.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      json.find((each) => each.id === id),
      (await world.test.get(`/v1/request_log/${id}`)).body,
    )
    assert.ok(json.every(({ status }) => status >= 400 && status < 500))
    assert.equal((await tail.stop('SIGINT')).code, 0)
  })

  test('events tail names the option that the server refuses', async () => {
    await refuse(1, /returned 400.*--types must/, environment, 'events', 'tail', '--types', 'tag')
    await refuse(1, /returned 400: The cursor/, environment, 'events', 'tail', '--since', 'x')
    await refuse(1, /returned 400: --conversation must/, environment, 'events', 'tail', '--conversation', 'x')
  })
})

describe('a server in trouble', { concurrency: 1 }, () => {
  type Answer = (response: ServerResponse, request: IncomingMessage) => unknown
  const key = newKeySecret('test')

  /** Answers one request after another, the last answer for all others. */
  async function scripted(t: TestContext, ...answers: Answer[]) {
    const requests: IncomingMessage[] = []
    const server = createServer((request, response) => {
      requests.push(request)
      answers[Math.min(requests.length, answers.length) - 1]!(response, request)
    }).listen(0, '127.0.0.1')
    t.after(() => server.closeAllConnections())
    t.after(() => server.close())
    await until('it listens', () => server.listening)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return {
      requests,
      environment: { BACKLINE_URL: url, BACKLINE_API_KEY: key, XDG_CONFIG_HOME: '/nonexistent' },
    }
  }
  const busy =
    (status: number, retryAfter: string): Answer =>
    (response) =>
      response.writeHead(status, { 'retry-after': retryAfter }).end()
  const fine: Answer = (response) => response.writeHead(201).end('{"id": "tag_x"}')

  test('a POST is repeated with its Idempotency-Key until it succeeds', async (t) => {
    const past = new Date(Date.now() - 60_000).toUTCString()
    const broken: Answer = (response) => response.destroy()
    const { requests, environment } = await scripted(t, busy(429, '0'), busy(503, past), broken, fine)
    assert.deepEqual(await json(environment, 'api', 'post', 'tags', '-f', 'name=x'), { id: 'tag_x' })
    assert.equal(requests.length, 4)
    assert.equal(new Set(requests.map(({ headers }) => headers['idempotency-key'])).size, 1)
  })

  test('an answer that is not of the API is printed, and a redirect is not followed', async (t) => {
    const html: Answer = (response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<p>No</p>')
    const moved: Answer = (response) => response.writeHead(302, { location: 'https://example.com' }).end()
    const { environment, requests } = await scripted(t, html, moved)
    assert.deepEqual(await run(environment, 'api', 'get', 'tags'), {
      code: 4,
      stdout: '<p>No</p>\n',
      stderr: '',
    })
    assert.equal((await run(environment, 'api', 'get', 'tags')).code, 3)
    await refuse(
      1,
      /returned 302; check that it is the address of a Backline server/,
      environment,
      'trigger',
      'tag.created',
    )
    assert.equal(requests.length, 3)
  })

  test('without a server, the address and the reason are said', async () => {
    const nowhere = {
      BACKLINE_URL: `http://127.0.0.1:${await freePort()}`,
      BACKLINE_API_KEY: key,
      XDG_CONFIG_HOME: '/nonexistent',
    }
    const message = /cannot reach http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED.*; is the server running\?/
    await refuse(1, message, nowhere, 'api', 'get', 'tags')
    await refuse(1, message, nowhere, 'trigger', 'tag.created')
    await refuse(1, message, nowhere, 'demo')
  })
})
