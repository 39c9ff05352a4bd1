import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { fromConsole, signedIn } from '@backline/test/console.ts'
import { type Body, conversation, operator, succeeded } from '@backline/test/desk.ts'
import { someone, start } from '@backline/test/end-users.ts'
import { exchange } from '@backline/test/exchange.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import pg from 'pg'

const log = '/v1/request_log'

describe('the request log', () => {
  const api = service()

  const newWorld = async () => {
    const world = await api.world()
    return { world, client: world.test }
  }
  const list = async (client: Client, query = '') =>
    succeeded(await client.get(`${log}?${query}`)).data as Body[]
  /** The row of a request, once it is there. */
  const rowOf = (client: Client, answer: { headers: Headers }): Promise<Body> => {
    const id = answer.headers.get('request-id')!
    return until(`request ${id} is in the log`, async () => {
      const { status, body } = await client.get(`${log}/${id}`)
      return status === 200 && body
    })
  }
  /** Locks a table until the returned function is called. */
  const locked = async (table: 'tags' | 'request_log') => {
    const holder = new pg.Client(api.connection)
    await holder.connect()
    await holder.query(`begin; lock table ${table} in exclusive mode`)
    return () => holder.end()
  }
  const keyIdOf = async (client: Client): Promise<string> =>
    succeeded(await client.get('/v1/api_keys')).data[0].id

  test('a request is in the log with its route, path, status, key, network and time', async () => {
    const { client } = await newWorld()
    const keyId = await keyIdOf(client)
    const { id } = await conversation(client)
    const answer = await client.get(`/v1/conversations/${id}?include=end_user`)
    const row = await rowOf(client, answer)
    const { duration_ms, created_at, ...rest } = row
    assert.deepEqual(rest, {
      id: answer.headers.get('request-id'),
      object: 'request',
      method: 'GET',
      route: '/v1/conversations/{id}',
      path: `/v1/conversations/${id}`,
      status: 200,
      code: null,
      key_id: keyId,
      session_id: null,
      operator_id: null,
      idempotent_replayed: null,
      original_request_id: null,
      network: '127.0.0.0/24',
    })
    assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
    assert.ok(Math.abs(Date.parse(created_at) - api.now()) < 60_000)
    assert.deepEqual(
      (await list(client, `limit=100`)).find(({ id }) => id === row.id),
      row,
    )
  })

  test('the newest request comes first, and cursors lead to the oldest', async () => {
    const { client } = await newWorld()
    const sent: string[] = []
    for (let i = 0; i < 5; i++) sent.unshift((await client.get('/v1/tags')).headers.get('request-id')!)
    await until('all are there', async () => (await list(client)).length === 5)
    const seen: string[] = []
    let query = 'limit=2&include=total'
    for (let more = true; more; ) {
      const { body } = await client.get(`${log}?${query}`)
      assert.equal(body.total, 5)
      seen.push(...body.data.map(({ id }: Body) => id))
      more = body.has_more
      query = `limit=2&include=total&cursor=${body.next_cursor}`
    }
    assert.deepEqual(seen, sent)
  })

  test('reads of the log are not in it, other requests to its path are', async () => {
    const { world, client } = await newWorld()
    const limited = await world.withScopes('tags:read')
    await client.get(log)
    await client.get(`${log}/req_01jd3v7wh2e7ktvq4n1m8r5z9b`)
    assert.equal((await limited.get(log)).status, 403)
    const posted = await client.post(log, {})
    assert.equal(posted.status, 405)
    await rowOf(client, posted)
    assert.deepEqual(
      (await list(client)).map(({ method, route, status, code }) => [method, route, status, code]),
      [['POST', '/v1/request_log', 405, 'method_not_allowed']],
    )
  })

  test('refused requests are in the log with their code', async () => {
    const { world, client } = await newWorld()
    const limited = await world.withScopes('tags:read')
    const invalid = await client.post('/v1/tags', { nmae: 'a' })
    const forbidden = await limited.post('/v1/tags', { name: 'a' })
    const missing = await client.get('/v1/tags/tag_01jd3v7wh2e7ktvq4n1m8r5z9b')
    const broken = await client.post('/v1/tags', '{')
    const withoutKey = await client.post('/v1/tags', { name: 'a' }, { 'idempotency-key': '' })
    for (const [answer, status, code] of [
      [invalid, 422, 'validation_failed'],
      [forbidden, 403, 'scope_missing'],
      [missing, 404, 'not_found'],
      [broken, 400, 'malformed_json'],
      [withoutKey, withoutKey.status, withoutKey.body.code],
    ] as const) {
      const row = await rowOf(client, answer)
      assert.deepEqual([row.status, row.code], [status, code])
    }
    const { key_id } = await rowOf(client, forbidden)
    assert.notEqual(key_id, (await rowOf(client, invalid)).key_id)
  })

  test('requests with a revoked, an expired or a rotated key are in the log, those with an unknown one in none', async () => {
    const { client } = await newWorld()
    const key = async (fields: object = {}) =>
      succeeded(await client.post('/v1/api_keys', { name: 'a', scopes: ['tags:read'], ...fields }))
    const revoked = await key()
    succeeded({ ...(await client.delete(`/v1/api_keys/${revoked.id}`)), body: {} })
    const expiring = await key({ expires_at: new Date(api.now() + 3_600_000).toISOString() })
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 7_200 }))
    for (const [{ id, secret }, code] of [
      [revoked, 'api_key_invalid'],
      [expiring, 'api_key_expired'],
    ] as const) {
      const row = await rowOf(client, await api.client(secret).get('/v1/tags'))
      assert.deepEqual([row.status, row.code, row.key_id], [401, code, id])
    }
    const before = await list(client, 'limit=100')
    assert.equal((await api.client(newKeySecret('test')).get('/v1/tags')).status, 401)
    assert.equal((await api.client('nonsense').get('/v1/tags')).status, 401)
    const last = await rowOf(client, await client.get('/v1/tags'))
    const after = await list(client, 'limit=100')
    assert.deepEqual(
      after.filter(({ id }) => !before.some((each) => each.id === id)),
      [last],
    )
  })

  test('requests refused before their key is read are in the log: other methods, unknown routes, broken paths', async () => {
    const { client } = await newWorld()
    const keyId = await keyIdOf(client)
    const secret = client.key
    for (const [path, method, expected] of [
      ['/v1/tags', 'PATCH', { route: '/v1/tags', path: '/v1/tags', status: 405, code: 'method_not_allowed' }],
      ['/v1/tgas/x?q=1', 'GET', { route: null, path: '/v1/tgas/x', status: 404, code: 'route_not_found' }],
      ['/v1/tags/', 'GET', { route: null, path: '/v1/tags/', status: 404, code: 'route_not_found' }],
      ['/v1/tags/%zz', 'GET', { route: null, path: '/v1/tags/%zz', status: 400, code: 'bad_request' }],
      [
        `/v1/x/${secret}/y`,
        'GET',
        { route: null, path: '/v1/x/{token}/y', status: 404, code: 'route_not_found' },
      ],
      [
        `/v1/x/%62kl%5Flive_abc`,
        'GET',
        { route: null, path: '/v1/x/{token}', status: 404, code: 'route_not_found' },
      ],
      [
        `/v1/me=eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl/tags`,
        'GET',
        { route: null, path: '/v1/me={token}/tags', status: 404, code: 'route_not_found' },
      ],
      [
        `/v1/${'x'.repeat(400)}`,
        'GET',
        { route: null, path: `/v1/${'x'.repeat(296)}`, status: 404, code: 'route_not_found' },
      ],
    ] as const) {
      const answer = await exchange(api.url, { method, path, headers: { authorization: `Bearer ${secret}` } })
      const { route, path: shown, status, code, key_id } = await rowOf(client, answer)
      assert.deepEqual({ route, path: shown, status, code }, expected)
      assert.equal(key_id, keyId)
    }
  })

  test('a parameter that is not an id stands as in the template', async () => {
    const { client } = await newWorld()
    for (const [method, path, shown] of [
      ['GET', '/v1/conversations/ada@example.com', '/v1/conversations/{id}'],
      ['PUT', '/v1/end_users/external/ada@example.com', '/v1/end_users/external/{external_id}'],
      ['DELETE', '/v1/end_users/external/ada@example.com', '/v1/end_users/external/{external_id}'],
    ] as const) {
      const answer = await exchange(api.url, {
        method,
        path,
        headers: { authorization: `Bearer ${client.key}` },
      })
      const row = await rowOf(client, answer)
      assert.deepEqual([row.route, row.path], [shown, shown])
    }
  })

  test('a repetition names the request whose response it repeats', async () => {
    const { client } = await newWorld()
    const headers = { 'idempotency-key': 'once' }
    const first = await client.post('/v1/tags', { name: 'a' }, headers)
    const again = await client.post('/v1/tags', { name: 'a' }, headers)
    const shown = async (answer: typeof first) => {
      const { idempotent_replayed, original_request_id } = await rowOf(client, answer)
      return [idempotent_replayed, original_request_id]
    }
    assert.deepEqual(await shown(first), [false, null])
    assert.deepEqual(await shown(again), [true, first.headers.get('request-id')])
    for (const [value, { headers }] of [
      ['true', again],
      ['false', first],
    ] as const)
      assert.deepEqual(
        (await list(client, `idempotent_replayed=${value}`)).map(({ id }) => id),
        [headers.get('request-id')],
      )
  })

  test('an operator is named for whom a key acts, or who has signed in', async () => {
    const { world, client } = await newWorld()
    const id = await operator(client)
    const acting = await client.post('/v1/tags', { name: 'a' }, { 'backline-operator': id })
    assert.equal((await rowOf(client, acting)).operator_id, id)

    const admin = await signedIn(api, world, 'admin')
    const answer = await admin.send('GET', '/v1/tags')
    const row = await rowOf(client, answer)
    assert.match(row.session_id, /^cse_/)
    assert.deepEqual([row.key_id, row.operator_id], [null, admin.operatorId])
    assert.deepEqual((await list(client, `session_id=${row.session_id}&route=/v1/tags`))[0], row)
    assert.equal((await list(client, `operator_id=${id}`)).length, 1)

    await admin.send('DELETE', '/console/api/session')
    const ended = await admin.send('GET', '/v1/tags')
    assert.equal(ended.status, 401)
    const refused = await rowOf(client, ended)
    assert.deepEqual([refused.code, refused.session_id], ['console_session_invalid', row.session_id])
    const foreign = await fromConsole(api, 'GET', '/v1/tags', {
      cookie: admin.cookie,
      'backline-console': 'test',
      origin: 'https://elsewhere.example',
    })
    assert.equal((await rowOf(client, foreign)).code, 'origin_not_allowed')
  })

  test('requests of end users are in the log with their session, also with a revoked one', async () => {
    const { world, client } = await newWorld()
    const person = await someone(api, world)
    await start(person)
    const row = await rowOf(client, await person.get('/v1/me'))
    assert.match(row.session_id, /^eus_/)
    assert.deepEqual([row.key_id, row.operator_id, row.route], [null, null, '/v1/me'])
    await client.delete(`/v1/end_user_sessions/${row.session_id}`)
    const refused = await rowOf(client, await person.get('/v1/me'))
    assert.deepEqual([refused.code, refused.session_id], ['identity_invalid', row.session_id])
    const found = await list(client, `session_id=${row.session_id}`)
    assert.ok(found.length >= 3 && found.every(({ session_id }) => session_id === row.session_id))
  })

  test('a stream is in the log when it ends, with the time that it was open', async () => {
    const { client } = await newWorld()
    const headers = { authorization: `Bearer ${client.key}` }
    for (const path of ['/v1/events/stream', '/v1/audit_log/export']) {
      const ending = new AbortController()
      const answer = await fetch(api.url + path, { headers, signal: ending.signal })
      const id = answer.headers.get('request-id')
      if (path.endsWith('stream')) {
        await rowOf(client, await client.get('/v1/tags'))
        assert.equal((await client.get(`${log}/${id}`)).status, 404)
      }
      ending.abort()
      const row = await rowOf(client, answer)
      assert.deepEqual([row.status, row.route], [200, path])
    }
  })

  test('a request is in the log with its result whose client has gone before the response', async () => {
    const { client } = await newWorld()
    const { id } = succeeded(await client.post('/v1/tags', { name: 'a' }))
    const unlock = await locked('tags')
    const gone = new AbortController()
    const sent = fetch(`${api.url}/v1/tags/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
      body: '{"name": "b"}',
      signal: gone.signal,
    }).catch(() => null)
    await until('it waits for the lock', async () => {
      const [{ count }] = (await api.db.rows<{ count: number }>(
        sql`select count(*) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )) as [{ count: number }]
      return count > 0
    })
    gone.abort()
    await sent
    await unlock()
    const [row] = await until('it is there', async () => {
      const rows = await list(client, 'method=PATCH')
      return rows.length > 0 && rows
    })
    assert.deepEqual([row!.status, row!.path], [200, `/v1/tags/${id}`])
  })

  test('no request waits for the log, and what could not be written is written later', async () => {
    const { client } = await newWorld()
    const unlock = await locked('request_log')
    const sent: string[] = []
    for (let i = 0; i < 30; i++) {
      const { status, headers } = await client.get('/v1/tags')
      assert.equal(status, 200)
      sent.push(headers.get('request-id')!)
      await setTimeout(100)
    }
    await unlock()
    await until('all are there', async () => (await list(client, 'limit=100')).length === sent.length)
  })

  describe('filters', () => {
    let client: Client
    const found = async (query: string) =>
      (await list(client, `limit=100&${query}`)).map(({ method, status }) => `${method} ${status}`).sort()

    test('choose by method, route, status and class, code, key, duration and time', async () => {
      const { world, client: own } = await newWorld()
      client = own
      const keyId = await keyIdOf(client)
      const other = await world.withScopes('tags:read')
      const first = await client.post('/v1/tags', { name: 'a' })
      await client.post('/v1/tags', { name: 'a' })
      await client.get('/v1/nowhere')
      await other.get('/v1/conversations')
      const last = await other.get(`/v1/tags/${first.body.id}`)
      const { created_at } = await rowOf(client, last)
      for (const [query, expected] of [
        ['method=POST', ['POST 201', 'POST 409']],
        ['route=/v1/tags', ['POST 201', 'POST 409']],
        ['route=/v1/tags/{id}', ['GET 200']],
        ['status=4xx', ['GET 403', 'GET 404', 'POST 409']],
        ['status=201,404', ['GET 404', 'POST 201']],
        ['status=2xx,409', ['GET 200', 'GET 200', 'POST 201', 'POST 409']],
        ['code=already_exists', ['POST 409']],
        [`key_id=${keyId}`, ['GET 200', 'GET 404', 'POST 201', 'POST 409']],
        [`key_id=${keyId}&status=4xx&method=GET`, ['GET 404']],
        ['slower_than_ms=100000', []],
        [`created_after=${created_at}`, []],
        [`created_before=2020-01-01T00:00:00Z`, []],
        [`created_before=${encodeURIComponent(created_at)}&status=403`, ['GET 403']],
        ['operator_id=op_01jd3v7wh2e7ktvq4n1m8r5z9e', []],
      ] as const)
        assert.deepEqual(await found(query), expected, query)
      const { body } = await client.get(`${log}?status=4xx&include=total`)
      assert.deepEqual([body.total, body.total_is_capped], [3, false])
    })

    test('refuse what is no status, method, session or duration', async () => {
      for (const [name, value] of [
        ['status', '6xx'],
        ['status', '200,'],
        ['method', 'post'],
        ['session_id', 'key_01jd3v7wh2e7ktvq4n1m8r5z9a'],
        ['slower_than_ms', '-1'],
        ['idempotent_replayed', 'yes'],
      ]) {
        const { status, body } = await client.get(`${log}?${name}=${value}`)
        assert.deepEqual([status, body.code], [400, 'invalid_query'], `${name}=${value}`)
      }
    })
  })

  test('an environment does not show requests of another one', async () => {
    const { world, client } = await newWorld()
    const answer = await client.get('/v1/tags')
    await rowOf(client, answer)
    const other: World = await api.world()
    for (const each of [world.live, other.test]) {
      assert.equal((await each.get(`${log}/${answer.headers.get('request-id')}`)).status, 404)
      assert.ok((await list(each)).every(({ id }) => id !== answer.headers.get('request-id')))
    }
  })

  test('nothing that a client wrote is in the table but ids', async () => {
    const { client } = await newWorld()
    await client.post('/v1/tags?x=secretquery', { name: 'secretbody' }, { 'user-agent': 'secretagent' })
    const last = await client.get('/v1/end_users/external/secretperson')
    await rowOf(client, last)
    const text = JSON.stringify(await list(client))
    assert.doesNotMatch(text, /secret/)
    assert.ok(!text.includes(client.key))
  })
})
