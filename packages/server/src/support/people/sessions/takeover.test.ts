import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service, type World } from '@backline/test/harness.ts'
import { bySecret, signedJwt } from '@backline/test/jwts.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const environment = { BACKLINE_SESSIONS_PER_MINUTE: '0', BACKLINE_END_USER_WRITES_PER_10_SECONDS: '0' }
const api = service()
const path = '/v1/end_user_sessions'
let world: World
let page: Client
let secret: string

const visit = async (): Promise<Body> => succeeded(await page.post(`${path}/anonymous`, {}))
const exchange = (sub: string, more: object = {}) => {
  const exp = Math.floor(api.now() / 1000) + 600
  return page.post(`${path}/exchange`, {
    jwt: signedJwt({ alg: 'HS256' }, { sub, exp }, bySecret(secret)),
    ...more,
  })
}
const renew = (token: string, url = api.url) => clientOf(url, token).post(`${path}/renew`)

/** The sessions of an end user that can be used. */
async function openSessions(id: string): Promise<number> {
  const [row] = await api.db.rows<{ count: number }>(sql`select count(*) from end_user_sessions
    where end_user_id = ${uuidOf('eu', id)} and revoked_at is null and expires_at > now()`)
  return row!.count
}

describe('a session', () => {
  before(async () => {
    world = await api.world()
    secret = succeeded(await world.test.post('/v1/identity_keys', { name: 'App', algorithm: 'HS256' })).secret
    page = api.client(
      succeeded(await world.test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' })).secret,
    )
  })
  after(cleanUp)

  describe('whose token somebody else knows', () => {
    test('opens nothing of the person who signed in with it as previous_token', async () => {
      const planted = await visit()
      const victim = randomUUID()
      const signedIn = succeeded(await exchange(victim, { previous_token: planted.token }))
      const renewed = await renew(planted.token)
      assert.deepEqual([renewed.status, renewed.body.code], [401, 'identity_invalid'])
      assert.equal(await openSessions(planted.end_user_id), 0)
      assert.equal((await renew(signedIn.token)).status, 201)
    })

    test('cannot be renewed once it is revoked, although another process has just used it', async () => {
      const { url } = await secondServer(api, environment)
      for (let i = 0; i < 5; i++) {
        const session = succeeded(await world.test.post(path, { external_user_id: randomUUID() }))
        assert.equal((await clientOf(url, session.token).get('/v1/me')).status, 200)
        assert.equal((await world.test.delete(`${path}/${session.id}`)).status, 204)
        const { status, body } = await renew(session.token, url)
        assert.deepEqual([status, body.params?.reason], [401, 'revoked'])
      }
    })

    test('has no successor after all sessions are revoked, while it is renewed', async () => {
      for (let round = 0; round < 3; round++) {
        const session = succeeded(await world.test.post(path, { external_user_id: randomUUID() }))
        succeeded(await renew(session.token))
        const revocation = world.test.delete(`/v1/end_users/${session.end_user_id}/sessions`)
        await Promise.all(Array.from({ length: 20 }, () => renew(session.token)))
        assert.equal((await revocation).status, 204)
        assert.equal(await openSessions(session.end_user_id), 0)
      }
    })

    test('makes at most about a hundred sessions', async () => {
      const session = succeeded(await world.test.post(path, { external_user_id: randomUUID() }))
      for (let i = 0; i < 110; i += 10)
        await Promise.all(Array.from({ length: 10 }, () => renew(session.token)))
      assert.ok((await openSessions(session.end_user_id)) <= 102)
    })
  })

  test('a visitor whose address is verified is adopted with it', async () => {
    const { id } = succeeded(
      await world.test.post('/v1/end_users', { emails: [{ address: 'seen@example.com', verified: true }] }),
    )
    const { token } = succeeded(await world.test.post(path, { end_user_id: id }))
    const signedIn = succeeded(await exchange(randomUUID(), { previous_token: token }))
    const { emails } = succeeded(await world.test.get(`/v1/end_users/${signedIn.end_user_id}`))
    assert.deepEqual(emails, [{ address: 'seen@example.com', verified: true }])
  })

  test('a request is not repeated by a retry with the renewed token, after its end user was merged', async () => {
    const visitor = succeeded(
      await world.test.post(path, { end_user_id: succeeded(await world.test.post('/v1/end_users', {})).id }),
    )
    const target = succeeded(await world.test.post('/v1/end_users', { external_id: randomUUID() }))
    const body = { message: { body: 'Hello' } }
    const send = (token: string) =>
      api.client(token).post('/v1/me/conversations', body, { 'idempotency-key': 'once' })
    const first = await send(visitor.token)
    assert.equal(first.status, 201)
    succeeded(await world.test.post(`/v1/end_users/${visitor.end_user_id}/merge`, { into_id: target.id }))
    const renewed = succeeded(await renew(visitor.token))
    assert.equal(renewed.end_user_id, target.id)
    const again = await send(renewed.token)
    assert.deepEqual(
      [again.status, again.body.id, again.headers.get('idempotent-replayed')],
      [201, first.body.id, 'true'],
    )
  })
})
