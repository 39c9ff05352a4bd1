import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { consolePath, fromConsole, linkOf, signedIn } from '@backline/test/console.ts'
import { succeeded } from '@backline/test/desk.ts'
import { type Answer, service, type World } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import fastify from 'fastify'
import { pino } from 'pino'
import { openAdmissionControl } from '../../../platform/http/limits/load-shedding.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { newConsoleToken } from '../../vocabulary/credentials.ts'
import { type ConsoleDeps, mountConsole } from './routes.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const api = service({ log })
let world: World

const byLink = (body: object, headers: Record<string, string> = {}) =>
  fromConsole(api, 'POST', `${consolePath}/sign_in/link`, { 'backline-console': 'test', ...headers }, body)
const outcome = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  [status, body?.code, body?.params?.reason].filter((part) => part !== undefined).join(' ')
const newEmail = () => `${randomUUID()}@example.com`
const newOperator = async (email: string, more: object = {}, kind: 'live' | 'test' = 'test') =>
  succeeded(await world[kind].post('/v1/operators', { name: 'Ada', email, ...more }))

describe('signing in to the console', () => {
  before(async () => {
    world = await api.world()
  })

  test('a link opens a session in each environment that has an operator with its address', async () => {
    const email = newEmail()
    const { id } = await newOperator(email, { role: 'lead' })
    const answer = await byLink({ token: await linkOf(api, world, email.toUpperCase()) })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.match(
      answer.headers.get('set-cookie')!,
      /^backline_console_8080=bkl_con_[0-9A-Za-z]{50}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    const { workspace, environments, version, public_url } = answer.body
    const { body } = await world.test.get('/v1/workspace')
    assert.deepEqual(workspace, { id: body.id, name: body.name })
    assert.deepEqual([typeof version, public_url], ['string', 'http://127.0.0.1:8080'])
    assert.equal(environments.live, null)
    assert.deepEqual(environments.test.operator, { id, name: 'Ada', email, role: 'lead' })
    assert.ok(environments.test.scopes.includes('macros:write'))
    const session = await fromConsole(api, 'GET', `${consolePath}/session`, { cookie: answer.cookie! })
    assert.deepEqual(session.body, answer.body)
    const elsewhere = { cookie: answer.cookie!, 'backline-console': 'live' }
    assert.equal(
      outcome(await fromConsole(api, 'GET', '/v1/tags', elsewhere)),
      '401 console_session_invalid unknown',
    )
  })

  test('by HTTPS the cookie belongs to the host alone', async () => {
    const environment = { BACKLINE_PUBLIC_URL: 'https://desk.example.com' }
    const other = await api.another({ environment })
    const email = newEmail()
    await newOperator(email)
    const headers = { 'backline-console': 'test', origin: 'https://desk.example.com' }
    const token = await linkOf(api, world, email)
    const answer = await fromConsole(other, 'POST', `${consolePath}/sign_in/link`, headers, { token })
    assert.match(
      answer.headers.get('set-cookie')!,
      /^__Host-backline_console=bkl_con_\w{50}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict; Secure$/,
    )
    const cookie = answer.cookie!
    assert.equal((await fromConsole(other, 'GET', '/v1/tags', { ...headers, cookie })).status, 200)
    const unsafe = { ...headers, cookie, origin: other.url }
    assert.equal(
      outcome(await fromConsole(other, 'GET', '/v1/tags', unsafe)),
      '403 origin_not_allowed',
      'a page of the host without TLS',
    )
    const plain = { ...headers, cookie: cookie.replace('__Host-', '') }
    assert.equal(
      outcome(await fromConsole(other, 'GET', '/v1/tags', plain)),
      '401 console_session_invalid missing',
    )
  })

  test('a link works once: of twenty uses at the same time, one signs in', async () => {
    const email = newEmail()
    await newOperator(email)
    const token = await linkOf(api, world, email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => byLink({ token })))
    const outcomes = answers.map(outcome).sort()
    assert.equal(outcomes[0], '200')
    assert.deepEqual([...new Set(outcomes.slice(1))], ['401 console_session_invalid used'])
  })

  test('401 for a link that is mistyped, unknown or without an operator', async () => {
    const token = await linkOf(api, world, newEmail())
    const mistyped = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
    assert.equal(outcome(await byLink({ token: mistyped })), '401 console_session_invalid malformed')
    assert.equal(outcome(await byLink({ token })), '401 console_session_invalid no_operator')
    const archived = newEmail()
    await newOperator(archived, { archived: true })
    const gone = await linkOf(api, world, archived)
    assert.equal(outcome(await byLink({ token: gone })), '401 console_session_invalid no_operator')
    const { newConsoleLink } = await import('../../vocabulary/credentials.ts')
    assert.equal(outcome(await byLink({ token: newConsoleLink() })), '401 console_session_invalid unknown')
  })

  /** Archives the last administrator, which the API refuses. */
  const archive = ({ environments }: World, id: string) =>
    api.db.write(sql`update operators set archived = true
      where tenant_id = ${environments.live.tenantId} and id = ${uuidOf('op', id)}`)

  test('a link that failed can be used again', async () => {
    const email = newEmail()
    const token = await linkOf(api, world, email)
    assert.equal(outcome(await byLink({ token })), '401 console_session_invalid no_operator')
    await newOperator(email)
    assert.equal(outcome(await byLink({ token })), '200')

    const fresh = await api.world()
    const first = { token: await linkOf(api, fresh, null), name: 'Grace', email: newEmail() }
    const spare = { ...first, token: await linkOf(api, fresh, null) }
    const other = { name: 'Eve', email: newEmail(), role: 'admin' }
    const { id } = succeeded(await fresh.live.post('/v1/operators', other))
    assert.equal(outcome(await byLink(first)), '401 console_session_invalid used')
    await archive(fresh, id)
    assert.equal(outcome(await byLink(first)), '200')
    assert.equal(outcome(await byLink(spare)), '401 console_session_invalid used')
  })

  test('the link of the first administrator uses up the others of the workspace', async () => {
    const fresh = await api.world()
    const [token, spare, ofOthers] = [
      await linkOf(api, fresh, null),
      await linkOf(api, fresh, null),
      await linkOf(api, await api.world(), null),
    ]
    const { live } = (await byLink({ token, name: 'Grace', email: newEmail() })).body.environments
    await archive(fresh, live.operator.id)
    const late = await byLink({ token: spare, name: 'Eve', email: newEmail() })
    assert.equal(outcome(late), '401 console_session_invalid used')
    assert.equal((await byLink({ token: ofOthers, name: 'Ada', email: newEmail() })).status, 200)
  })

  test('an administrator of the test environment alone is none, and a missing environment is completed', async () => {
    const fresh = await api.world()
    const demo = { name: 'Noor', email: newEmail(), role: 'admin' }
    succeeded(await fresh.test.post('/v1/operators', demo))
    const email = newEmail()
    succeeded(await fresh.live.post('/v1/operators', { name: 'Grace', email, role: 'admin' }))
    const token = await linkOf(api, fresh, null)
    const answer = await byLink({ token, name: 'Grace', email: email.toUpperCase() })
    assert.equal(answer.status, 200)
    for (const kind of ['live', 'test']) assert.equal(answer.body.environments[kind].operator.role, 'admin')
  })

  test('sign-ins are logged, accepted and refused ones, without address and token', async () => {
    const email = newEmail()
    await newOperator(email)
    const token = await linkOf(api, world, email)
    const from = lines.length
    for (let i = 0; i < 2; i++) await byLink({ token })
    const logged = lines.slice(from).filter((line) => line.includes('console sign-in'))
    assert.deepEqual(
      logged.map((line) => {
        const { level, msg, way, code, reason, request_id } = JSON.parse(line)
        return [level, msg, way, code, reason, request_id.slice(0, 4)]
      }),
      [
        [30, 'console sign-in accepted', 'link', undefined, undefined, 'req_'],
        [30, 'console sign-in refused', 'link', 'console_session_invalid', 'used', 'req_'],
      ],
    )
    for (const secret of [email, token]) assert.equal(logged.join('').includes(secret), false)
  })

  test('422 for a body that is not valid, and 403 or 400 for a request that the console did not send', async () => {
    assert.deepEqual(
      (await byLink({ name: '' })).body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(),
      ['/name', '/token'],
    )
    const email = newEmail()
    await newOperator(email)
    const token = await linkOf(api, world, email)
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      assert.equal((await byLink({ token }, headers)).body.code, 'origin_not_allowed')
    const bare = await fromConsole(api, 'POST', `${consolePath}/sign_in/link`, {}, { token })
    assert.equal(outcome(bare), '400 bad_request')
    assert.equal((await byLink({ token })).status, 200)
  })

  test('the link of the first administrator needs a name and an address, and makes operators of them', async () => {
    const fresh = await api.world()
    const token = await linkOf(api, fresh, null)
    const refused = await byLink({ token })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: Record<string, string>) => [pointer, code]),
      [
        ['/name', 'required'],
        ['/email', 'required'],
      ],
    )
    const email = newEmail()
    const known = succeeded(await fresh.live.post('/v1/operators', { name: 'Known', email, archived: true }))
    const spare = await linkOf(api, fresh, null)
    const answer = await byLink({ token, name: 'Grace', email })
    assert.equal(answer.status, 200)
    const { live, test } = answer.body.environments
    assert.deepEqual([live.operator.id, live.operator.name, live.operator.role], [known.id, 'Known', 'admin'])
    assert.deepEqual([test.operator.name, test.operator.email, test.operator.role], ['Grace', email, 'admin'])
    assert.deepEqual(test.scopes, ['*'])
    // A second link of the same kind is of no use any more.
    const late = await byLink({ token: spare, name: 'Eve', email: newEmail() })
    assert.equal(outcome(late), '401 console_session_invalid used')
    const events = succeeded(await fresh.test.get('/v1/events?types=operator.created'))
    assert.deepEqual(events.data[0].actor, { type: 'system', id: null, operator_id: null })
  })

  test('signing out revokes the sessions in all environments and removes the cookie', async () => {
    const ada = await signedIn(api, world, 'agent')
    const answer = await ada.send('DELETE', `${consolePath}/session`)
    assert.equal(answer.status, 204)
    assert.match(answer.headers.get('set-cookie')!, /^backline_console_8080=; Path=\/; Max-Age=0;/)
    for (const kind of ['live', 'test'])
      assert.equal(
        outcome(await ada.send('GET', '/v1/tags', undefined, { 'backline-console': kind })),
        '401 console_session_invalid revoked',
      )
    const session = await ada.send('GET', `${consolePath}/session`)
    assert.equal(outcome(session), '401 console_session_invalid unknown')
    assert.equal((await ada.send('DELETE', `${consolePath}/session`)).status, 204)
    const log = succeeded(await world.test.get(`/v1/audit_log?actor_id=${ada.operatorId}`))
    assert.equal(log.data[0].action, 'console_session.revoked')
  })

  test('signing out without a session leaves the caches of credentials as they are', async () => {
    let forgotten = 0
    const app = fastify()
    const sessions = { find: async () => null } as unknown as ConsoleDeps['sessions']
    const workload = openAdmissionControl(log)
    const deps = { publicUrl: 'http://127.0.0.1:8080', attempts: null, oidc: null, sessions, workload }
    const forget = () => void forgotten++
    await app.register(async (scope) => mountConsole(scope, { ...deps, forget } as unknown as ConsoleDeps))
    const header = { 'backline-console': 'test' }
    const cookie = `backline_console_8080=${newConsoleToken(randomUUID())}`
    for (const headers of [header, { ...header, cookie }])
      assert.equal((await app.inject({ method: 'DELETE', url: '/session', headers })).statusCode, 204)
    assert.equal(forgotten, 0)
  })

  test('401 without a cookie, and the ways to sign in for everybody', async () => {
    const answer = await fromConsole(api, 'GET', `${consolePath}/session`)
    assert.equal(outcome(answer), '401 console_session_invalid missing')
    const { body } = await fromConsole(api, 'GET', `${consolePath}/sign_in`)
    assert.deepEqual(body, {
      methods: { oidc: false },
      link_command: 'npm run -s backline -- console link',
    })
  })

  test('neither links nor tokens are in the log or the database', async () => {
    const email = newEmail()
    await newOperator(email)
    const token = await linkOf(api, world, email)
    const { cookie } = await byLink({ token })
    assert.ok(lines.length > 0)
    for (const secret of [token, cookie!.split('=')[1]!]) {
      assert.deepEqual(await tablesWith(api, secret), [])
      assert.equal(lines.join('').includes(secret), false)
    }
  })

  test('429 for too many attempts from one network', async () => {
    const other = await api.another({ environment: { BACKLINE_SESSIONS_PER_MINUTE: '3' } })
    const attempt = () =>
      fromConsole(
        other,
        'POST',
        `${consolePath}/sign_in/link`,
        { 'backline-console': 'test' },
        { token: 'x' },
      )
    for (let i = 0; i < 3; i++) assert.equal((await attempt()).status, 401)
    assert.equal(outcome(await attempt()), '429 rate_limited')
    const leave = await fromConsole(other, 'DELETE', `${consolePath}/session`, { 'backline-console': 'test' })
    assert.equal(outcome(leave), '429 rate_limited')
  })

  test('401 for a link after 15 minutes', async () => {
    const email = newEmail()
    await newOperator(email)
    const [early, late] = [await linkOf(api, world, email), await linkOf(api, world, email)]
    api.advance(15 * 60 - 60)
    assert.equal((await byLink({ token: early })).status, 200)
    api.advance(60)
    assert.equal(outcome(await byLink({ token: late })), '401 console_session_invalid expired')
  })
})
