import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Browser, browserOf, fromConsole, linkOf, signedIn } from '@backline/test/console.ts'
import { succeeded } from '@backline/test/desk.ts'
import { type Answer, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
let world: World
let ada: Browser

const outcome = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  [status, body?.code, body?.params?.reason].filter((part) => part !== undefined).join(' ')
const ask = (headers: Record<string, string>) => fromConsole(api, 'GET', '/v1/tags', headers)

describe('a request of the console', () => {
  before(async () => {
    world = await api.world()
    ada = await signedIn(api, world, 'agent')
  })

  describe('is let in, or refused, by what browsers say of its origin', () => {
    const own = () => new URL(api.url)
    const cases: [name: string, headers: () => Record<string, string>, expected: string][] = [
      ['the header and the cookie', () => ({}), '200'],
      ['an Origin with the host of the server', () => ({ origin: own().origin }), '200'],
      ['an Origin of its public URL', () => ({ origin: 'http://127.0.0.1:8080' }), '200'],
      ['Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), '200'],
      ['Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' }), '403 origin_not_allowed'],
      ['Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' }), '403 origin_not_allowed'],
      ['Sec-Fetch-Site: none', () => ({ 'sec-fetch-site': 'none' }), '403 origin_not_allowed'],
      ['a foreign Origin', () => ({ origin: 'https://evil.example' }), '403 origin_not_allowed'],
      ['an Origin with another port', () => ({ origin: 'http://127.0.0.1:1' }), '403 origin_not_allowed'],
      ['the Origin null', () => ({ origin: 'null' }), '403 origin_not_allowed'],
      ['an Origin that is no URL', () => ({ origin: 'x' }), '403 origin_not_allowed'],
      ['another environment', () => ({ 'backline-console': 'staging' }), '400 bad_request'],
      ['two environments', () => ({ 'backline-console': 'live, test' }), '400 bad_request'],
    ]
    for (const [name, headers, expected] of cases)
      test(`${expected} with ${name}`, async () => {
        const answer = await ask({ cookie: ada.cookie, 'backline-console': 'test', ...headers() })
        assert.equal(outcome(answer), expected, answer.text)
        assert.equal(answer.headers.get('access-control-allow-origin'), null)
      })

    test('nothing is written by a foreign one', async () => {
      const name = randomUUID()
      const lead = await signedIn(api, world, 'lead')
      const foreign = await lead.send('POST', '/v1/tags', { name }, { origin: 'https://evil.example' })
      assert.equal(outcome(foreign), '403 origin_not_allowed')
      const { data } = succeeded(await world.test.get('/v1/tags?limit=100'))
      assert.ok(!data.some((tag: { name: string }) => tag.name === name))
    })

    test('a preflight request for the header is refused', async () => {
      const answer = await fromConsole(api, 'OPTIONS', '/v1/tags', {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'backline-console',
      })
      assert.equal(answer.status, 405)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    })
  })

  describe('is authenticated by the cookie together with the header alone', () => {
    test('a cookie without the header authenticates nothing', async () => {
      assert.equal(outcome(await ask({ cookie: ada.cookie })), '401 api_key_missing')
    })

    test('the header without a cookie, with another one, or with two, authenticates nothing', async () => {
      const header = { 'backline-console': 'test' }
      assert.equal(outcome(await ask(header)), '401 console_session_invalid missing')
      const cookies = {
        [`other=1; ${ada.cookie}; more=2`]: '200',
        [`${ada.cookie}; ${ada.cookie}`]: '401 console_session_invalid missing',
        [`x${ada.cookie}`]: '401 console_session_invalid missing',
        [`${ada.cookie}x`]: '401 console_session_invalid malformed',
        'backline_console_8080=': '401 console_session_invalid malformed',
      }
      for (const [cookie, expected] of Object.entries(cookies))
        assert.equal(outcome(await ask({ ...header, cookie })), expected, cookie)
    })

    test('the token in Authorization authenticates nothing', async () => {
      const token = ada.cookie.split('=')[1]!
      assert.equal(outcome(await ask({ authorization: `Bearer ${token}` })), '401 api_key_invalid')
    })

    test('Authorization takes precedence', async () => {
      const both = { cookie: ada.cookie, 'backline-console': 'test' }
      assert.equal(outcome(await ask({ ...both, authorization: 'Bearer x' })), '401 api_key_invalid')
      const keyed = { ...both, authorization: `Bearer ${world.live.key}`, origin: 'https://evil.example' }
      assert.equal((await ask(keyed)).status, 200)
    })

    test('a token of another workspace, or an unknown one, is refused', async () => {
      const { newConsoleToken } = await import('../../vocabulary/credentials.ts')
      for (const workspaceId of [world.environments.test.workspaceId, randomUUID()]) {
        const cookie = `backline_console_8080=${newConsoleToken(workspaceId)}`
        const answer = await ask({ cookie, 'backline-console': 'test' })
        assert.equal(outcome(answer), '401 console_session_invalid unknown')
      }
    })
  })

  describe('acts as the operator who has signed in', () => {
    const create = (headers: Record<string, string> = {}) =>
      ada.send('POST', '/v1/conversations', { external_user_id: randomUUID() }, headers)

    test('whether Backline-Operator names it or is absent', async () => {
      for (const headers of [{}, { 'backline-operator': ada.operatorId }]) {
        const { status, body } = await create(headers as Record<string, string>)
        assert.equal(status, 201)
        const claimed = await ada.send('POST', `/v1/conversations/${body.id}/claim`)
        assert.equal(claimed.body.assignee_id, ada.operatorId)
      }
    })

    test('422 if Backline-Operator names another one', async () => {
      const ben = await signedIn(api, world, 'agent')
      const { status, body } = await create({ 'backline-operator': ben.operatorId })
      assert.equal(status, 422)
      assert.deepEqual(body.errors, [
        {
          header: 'Backline-Operator',
          code: 'not_allowed',
          detail: 'must be the operator who has signed in',
        },
      ])
    })

    test('422 if the body of a message names another one', async () => {
      const ben = await signedIn(api, world, 'agent')
      const { body: conversation } = await create()
      const path = `/v1/conversations/${conversation.id}/messages`
      const say = (operator_id: string) =>
        ada.send('POST', path, { author_side: 'operator', operator_id, body: 'Hello' })
      const { status, body } = await say(ben.operatorId)
      assert.equal(status, 422)
      assert.deepEqual(body.errors, [
        { pointer: '/operator_id', code: 'not_allowed', detail: 'must be the operator who has signed in' },
      ])
      assert.equal((await say(ada.operatorId)).body.operator_id, ada.operatorId)
      const input = { author_side: 'operator', operator_id: ben.operatorId, body: 'Hello' }
      assert.equal(succeeded(await world.test.post(path, input)).operator_id, ben.operatorId)
    })

    test('only in the environment that the request names', async () => {
      const { body } = await create()
      const elsewhere = browserOf(api, ada.cookie, 'live')
      assert.equal((await elsewhere.send('GET', `/v1/conversations/${body.id}`)).status, 404)
    })

    test('its idempotency keys are those of the environment', async () => {
      const key = { 'idempotency-key': randomUUID() }
      const input = { external_user_id: randomUUID() }
      const first = await ada.send('POST', '/v1/conversations', input, key)
      const again = await world.test.post('/v1/conversations', input, key)
      assert.deepEqual([again.status, again.body.id], [201, first.body.id])
    })
  })

  test('a stream of events ends within a second or two of the revocation, as a whole response', async () => {
    const ben = await signedIn(api, world, 'agent')
    const response = await fetch(`${api.url}/v1/events/stream`, {
      headers: { cookie: ben.cookie, 'backline-console': 'test' },
    })
    assert.equal(response.status, 200)
    const [session] = succeeded(
      await world.test.get(`/v1/console_sessions?operator_id=${ben.operatorId}`),
    ).data
    assert.equal((await world.test.delete(`/v1/console_sessions/${session.id}`)).status, 204)
    assert.match(await response.text(), /: connected\n/)
  })

  test('an open stream of events is no use of its session, which ends 12 hours after the last request', async () => {
    const [grace, ben, carl] = await Promise.all([1, 2, 3].map(() => signedIn(api, world, 'agent')))
    const streamOf = async ({ cookie }: Browser) => {
      const headers = { cookie, 'backline-console': 'test' }
      const { body, status } = await fetch(`${api.url}/v1/events/stream`, { headers })
      assert.equal(status, 200)
      return body!
    }
    const end = (stream: AsyncIterable<unknown>) => Array.fromAsync(stream).catch(() => undefined)
    const sessionOf = async ({ operatorId }: Browser) =>
      succeeded(await world.test.get(`/v1/console_sessions?operator_id=${operatorId}`)).data[0]
    const lastUsed = async (browser: Browser) => Date.parse((await sessionOf(browser)).last_used_at)
    const used = async (ago: string, ...browsers: Browser[]) => {
      for (const each of browsers)
        await api.db.write(sql`update console_sessions set last_used_at = now() - ${ago}::interval
          where id = ${uuidOf('cse', (await sessionOf(each)).id)}`)
    }
    const [ofGrace, ofBen] = [await streamOf(grace!), await streamOf(ben!)]
    await used('2 hours', grace!, carl!)
    // The streams are checked again, after the caches were emptied. Uses of one environment are written together.
    await world.test.delete(`/v1/console_sessions/${(await sessionOf(ben!)).id}`)
    await end(ofBen)
    assert.equal((await carl!.send('GET', '/v1/tags')).status, 200)
    const hourAgo = Date.now() - 3_600_000
    await until('the use is recorded', async () => (await lastUsed(carl!)) >= hourAgo)
    assert.ok((await lastUsed(grace!)) < hourAgo)
    await used('12 hours', grace!)
    await end(ofGrace)
  })

  test('limits count for each operator, whatever the number of sessions', async () => {
    const environment = { BACKLINE_RATE_LIMIT_PER_SECOND: '1', BACKLINE_RATE_LIMIT_BURST: '2' }
    const other = await api.another({ environment })
    const ben = await signedIn(api, world, 'agent')
    const statuses = async ({ cookie }: Browser) => {
      const all: number[] = []
      for (let i = 0; i < 3; i++) all.push((await browserOf(other, cookie).send('GET', '/v1/tags')).status)
      return all
    }
    assert.deepEqual(await statuses(ada), [200, 200, 429])
    assert.deepEqual(await statuses(ben), [200, 200, 429])
    const again = await fromConsole(
      api,
      'POST',
      '/console/api/sign_in/link',
      { 'backline-console': 'test' },
      { token: await linkOf(api, world, ben.email) },
    )
    assert.deepEqual(await statuses({ ...ben, cookie: again.cookie! }), [429, 429, 429])
  })
})
