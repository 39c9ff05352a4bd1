import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Browser,
  browserOf,
  consolePath,
  fromConsole,
  linkOf,
  signedIn,
} from '@backline/test/console.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, service, type World } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
const path = '/v1/console_sessions'
let world: World

const reasonOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) =>
  [status, body?.code, body?.params?.reason].filter((part) => part !== undefined).join(' ')
const sessionOf = async ({ operatorId }: Browser) =>
  succeeded(await world.test.get(`${path}?operator_id=${operatorId}`)).data[0]
const look = (browser: Pick<Browser, 'send'>) => browser.send('GET', '/v1/operators?limit=1')

describe('a session of the console', () => {
  before(async () => {
    world = await api.world()
  })

  test('acts as its operator: in events and the audit log', async () => {
    const ada = await signedIn(api, world, 'agent')
    const { status, body: conversation } = await ada.send('POST', '/v1/conversations', {
      external_user_id: randomUUID(),
    })
    assert.equal(status, 201)
    const actor = { type: 'operator', id: ada.operatorId, operator_id: ada.operatorId }
    const events = succeeded(await world.test.get(`/v1/events?resource_id=${conversation.id}`))
    assert.deepEqual(events.data[0].actor, actor)
    const log = succeeded(await world.test.get(`/v1/audit_log?actor_id=${ada.operatorId}`))
    assert.deepEqual([log.data[0].action, log.data[0].actor], ['conversation.created', actor])
  })

  test('is shown without its token, by its operator, newest first', async () => {
    const ada = await signedIn(api, world, 'agent')
    const list = succeeded(await world.test.get(`${path}?operator_id=${ada.operatorId}`))
    assert.equal(list.data.length, 1)
    const [session] = list.data
    assert.partialDeepStrictEqual(session, {
      object: 'console_session',
      operator_id: ada.operatorId,
      created_by: 'link',
      ip: '127.0.0.1',
      revoked_at: null,
      version: 1,
    })
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.last_used_at), 30 * 86_400_000)
    assert.deepEqual((await world.test.get(`${path}/${session.id}`)).body, session)
    const events = succeeded(await world.test.get(`/v1/events?resource_id=${session.id}`))
    assert.equal(events.data[0].type, 'console_session.created')
    assert.equal(JSON.stringify(events).includes('token'), false)
  })

  test('is shown to operators who may not end sessions only if it is theirs', async () => {
    const [ada, grace] = [await signedIn(api, world, 'agent'), await signedIn(api, world, 'lead')]
    const admin = await signedIn(api, world, 'admin')
    const [own, foreign] = [await sessionOf(ada), await sessionOf(grace)]
    const idsOf = async (browser: Browser, query = ''): Promise<string[]> => {
      const { status, body } = await browser.send('GET', `${path}?limit=100&include=total${query}`)
      assert.deepEqual([status, body.total], [200, body.data.length])
      return body.data.map(({ id }: Body) => id)
    }
    assert.deepEqual(await idsOf(ada), [own.id])
    assert.deepEqual(await idsOf(grace), [foreign.id])
    assert.deepEqual(await idsOf(ada, `&operator_id=${ada.operatorId}`), [own.id])
    assert.deepEqual(await idsOf(ada, `&operator_id=${grace.operatorId}`), [])
    const look = async (browser: Browser, { id }: Body) => (await browser.send('GET', `${path}/${id}`)).status
    assert.deepEqual(
      [await look(ada, own), await look(ada, foreign), await look(grace, own)],
      [200, 404, 404],
    )
    const all = await idsOf(admin)
    assert.ok(all.includes(own.id) && all.includes(foreign.id))
    assert.equal(await look(admin, foreign), 200)
    const reader = await world.withScopes('operators:read')
    assert.equal(succeeded(await reader.get(`${path}/${foreign.id}`)).id, foreign.id)
  })

  test('its token is nowhere in the database', async () => {
    const ada = await signedIn(api, world, 'admin')
    const key = { 'idempotency-key': randomUUID() }
    const created = await ada.send('POST', '/v1/api_keys', { name: 'By Ada', scopes: ['*'] }, key)
    assert.equal(created.status, 201)
    const again = await ada.send('POST', '/v1/api_keys', { name: 'By Ada', scopes: ['*'] }, key)
    assert.equal(again.body.secret, created.body.secret)
    for (const secret of [ada.cookie.split('=')[1]!, created.body.secret])
      assert.deepEqual(await tablesWith(api, secret), [])
  })

  test('a revocation holds at once, and on another process within a second', async () => {
    const other = await api.another()
    const ada = await signedIn(api, world, 'agent')
    const elsewhere = browserOf(other, ada.cookie)
    assert.equal((await look(elsewhere)).status, 200)
    const session = await sessionOf(ada)
    assert.equal((await world.test.delete(`${path}/${session.id}`)).status, 204)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid revoked')
    await sleep(1_000)
    assert.equal(reasonOf(await look(elsewhere)), '401 console_session_invalid revoked')
    const revoked = succeeded(await world.test.get(`${path}/${session.id}`))
    assert.deepEqual([revoked.version, typeof revoked.revoked_at], [2, 'string'])
    // The session in the other environment is another one.
    assert.equal((await look(browserOf(api, ada.cookie, 'live'))).status, 200)
  })

  test('a revocation that no server was told of holds within a second', async () => {
    const ada = await signedIn(api, world, 'agent')
    assert.equal((await look(ada)).status, 200)
    const { id } = await sessionOf(ada)
    await api.db.write(sql`update console_sessions set revoked_at = now() where id = ${uuidOf('cse', id)}`)
    await sleep(1_000)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid revoked')
  })

  test('ends with its operator: archived, for good, or deleted', async () => {
    const ada = await signedIn(api, world, 'agent')
    const operator = `/v1/operators/${ada.operatorId}`
    assert.equal((await look(ada)).status, 200)
    succeeded(await world.test.patch(operator, { archived: true }))
    await sleep(1_000)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid revoked')
    assert.notEqual((await sessionOf(ada)).revoked_at, null)
    succeeded(await world.test.patch(operator, { archived: false }))
    await sleep(1_000)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid revoked')
    assert.equal((await world.test.delete(operator)).status, 204)
    assert.equal(await sessionOf(ada), undefined)
  })

  test('follows the role of its operator within a second', async () => {
    const ada = await signedIn(api, world, 'agent')
    const rename = () => ada.send('POST', '/v1/tags', { name: randomUUID().slice(0, 8) })
    assert.partialDeepStrictEqual((await rename()).body, {
      code: 'scope_missing',
      params: { scope: 'tags:write' },
    })
    const lead = await signedIn(api, world, 'lead')
    const write = () => lead.send('POST', '/v1/tags', { name: randomUUID().slice(0, 8) })
    assert.equal((await write()).status, 201)
    succeeded(await world.test.patch(`/v1/operators/${lead.operatorId}`, { role: 'agent' }))
    await sleep(1_000)
    assert.equal((await write()).status, 403)
    assert.equal((await look(lead)).status, 200)
  })

  test('ends when its operator gets another address or a higher role, and not by other changes', async () => {
    const patches: [role: string, patch: object, ends: boolean][] = [
      ['agent', { email: `${randomUUID()}@example.com` }, true],
      ['agent', { role: 'lead' }, true],
      ['lead', { role: 'admin' }, true],
      ['lead', { role: 'agent' }, false],
      ['lead', { name: 'Grace', capacity: 3, metadata: { team: 'a' } }, false],
    ]
    for (const [role, patch, ends] of patches) {
      const ada = await signedIn(api, world, role)
      succeeded(await world.test.patch(`/v1/operators/${ada.operatorId}`, patch))
      assert.equal((await sessionOf(ada)).revoked_at !== null, ends, JSON.stringify(patch))
    }
  })

  test('ends when its operator returns from the archive, if the archiving missed it', async () => {
    const ada = await signedIn(api, world, 'agent')
    const operator = `/v1/operators/${ada.operatorId}`
    succeeded(await world.test.patch(operator, { archived: true }))
    const uuid = uuidOf('cse', (await sessionOf(ada)).id)
    await api.db.write(sql`update console_sessions set revoked_at = null where id = ${uuid}`)
    succeeded(await world.test.patch(operator, { archived: false }))
    assert.notEqual((await sessionOf(ada)).revoked_at, null)
  })

  const signInAgain = async ({ email }: Browser): Promise<string> => {
    const headers = { 'backline-console': 'test' }
    const token = await linkOf(api, world, email)
    const { cookie, text } = await fromConsole(api, 'POST', `${consolePath}/sign_in/link`, headers, { token })
    assert.ok(cookie, text)
    return cookie
  }

  test('is the oldest of an operator that is revoked at the 21st sign-in', async () => {
    const ada = await signedIn(api, world, 'agent')
    const { id } = await sessionOf(ada)
    const revoked = async (): Promise<string[]> =>
      succeeded(await world.test.get(`${path}?operator_id=${ada.operatorId}&limit=100`))
        .data.filter(({ revoked_at }: Body) => revoked_at !== null)
        .map((session: Body) => session.id)
    for (let i = 2; i <= 20; i++) await signInAgain(ada)
    assert.deepEqual(await revoked(), [])
    await signInAgain(ada)
    assert.deepEqual(await revoked(), [id])
  })

  test('is deleted at a sign-in of its operator, 30 days after it ended', async () => {
    const ada = await signedIn(api, world, 'agent')
    for (let i = 0; i < 4; i++) await signInAgain(ada)
    const all = async (): Promise<string[]> =>
      succeeded(await world.test.get(`${path}?operator_id=${ada.operatorId}`)).data.map(({ id }: Body) => id)
    const [, expired, revoked, justExpired, justRevoked] = await all()
    for (const [id, change] of [
      [expired, sql`expires_at = now() - interval '31 days'`],
      [revoked, sql`revoked_at = now() - interval '31 days'`],
      [justExpired, sql`expires_at = now() - interval '29 days'`],
      [justRevoked, sql`revoked_at = now() - interval '29 days'`],
    ] as const)
      await api.db.write(sql`update console_sessions set ${change} where id = ${uuidOf('cse', id!)}`)
    await signInAgain(ada)
    const left = await all()
    assert.deepEqual(
      [expired, revoked, justExpired, justRevoked].map((id) => left.includes(id!)),
      [false, false, true, true],
    )
  })

  test('a use is recorded, without a version and an event', async () => {
    const ada = await signedIn(api, world, 'agent')
    const { id } = await sessionOf(ada)
    const uuid = uuidOf('cse', id)
    await api.db.write(
      sql`update console_sessions set last_used_at = now() - interval '2 hours' where id = ${uuid}`,
    )
    await sleep(600)
    assert.equal((await look(ada)).status, 200)
    const used = async () => (await sessionOf(ada)).last_used_at
    await until('it is recorded', async () => Date.parse(await used()) > Date.now() - 3_600_000)
    assert.equal((await sessionOf(ada)).version, 1)
  })

  test('ends 12 hours after its last use, in real time', async () => {
    const ada = await signedIn(api, world, 'agent')
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 40 * 86_400 }))
    assert.equal((await look(ada)).status, 200)
    const { id } = await sessionOf(ada)
    await api.db.write(
      sql`update console_sessions set last_used_at = now() - interval '12 hours' where id = ${uuidOf('cse', id)}`,
    )
    await sleep(600)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid expired')
    const { status } = await ada.send('GET', `${consolePath}/session`)
    assert.equal(status, 200) // that of the live environment goes on
  })

  test('ends after 30 days, however it is used', async () => {
    const ada = await signedIn(api, world, 'agent')
    const { id } = await sessionOf(ada)
    await api.db.write(sql`update console_sessions set expires_at = now() where id = ${uuidOf('cse', id)}`)
    await sleep(600)
    assert.equal(reasonOf(await look(ada)), '401 console_session_invalid expired')
  })
})
