import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import { until } from '@backline/test/processes.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { hasShape } from '../../vocabulary/credentials.ts'

const api = service()
const path = '/v1/end_user_sessions'
let world: World
let publishable: Client

describe('sessions of end users', () => {
  before(async () => {
    world = await api.world()
    const { secret } = succeeded(await world.test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' }))
    publishable = api.client(secret)
  })

  const mint = async (body: object = { external_user_id: randomUUID() }) =>
    succeeded(await world.test.post(path, body))
  const newEndUser = async (body: object = {}) => succeeded(await world.test.post('/v1/end_users', body))
  const renew = (token: string) => api.client(token).post(`${path}/renew`)
  const reasonOf = ({
    status,
    body,
  }: {
    status: number
    body: { code: string; params: { reason?: string } }
  }) => `${status} ${body.code} ${body.params.reason}`

  test('201 shows a token once, which belongs to the end user of an external id that is new', async () => {
    const external_user_id = randomUUID()
    const session = await mint({ external_user_id })
    assert.ok(hasShape('end_user_token', session.token) && session.token.startsWith('bkl_eut_test_'))
    const { body: found } = await world.test.get(`/v1/end_users?external_id=${external_user_id}`)
    assert.deepEqual(
      found.data.map(({ id }: { id: string }) => id),
      [session.end_user_id],
    )
    const { body: shown } = await world.test.get(`${path}/${session.id}`)
    assert.equal('token' in shown, false)
    assert.deepEqual({ ...shown, token: session.token }, session)
    assert.deepEqual(await tablesWith(api, session.token), [])
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.created_at), 3_600_000)
    assert.equal((await renew(session.token)).status, 201)
  })

  test('422 unless exactly one of end_user_id and external_user_id names the end user', async () => {
    const { id } = await newEndUser()
    const none = await world.test.post(path, {})
    assert.partialDeepStrictEqual(none.body.errors, [{ pointer: '/end_user_id', code: 'required' }])
    const both = await world.test.post(path, { end_user_id: id, external_user_id: 'x' })
    assert.partialDeepStrictEqual(both.body.errors, [{ pointer: '/external_user_id', code: 'not_allowed' }])
  })

  test('403 for a blocked end user, to be minted, renewed or started; an operator can unblock it', async () => {
    const session = await mint()
    const block = (action: string) => world.test.post(`/v1/end_users/${session.end_user_id}/${action}`, {})
    succeeded(await block('block'))
    const refused = await world.test.post(path, { end_user_id: session.end_user_id })
    assert.equal(refused.body.code, 'end_user_blocked')
    assert.equal((await renew(session.token)).body.code, 'end_user_blocked')
    succeeded(await block('unblock'))
    assert.equal((await renew(session.token)).status, 201)
  })

  test('409 for a merged end user, whose sessions are those of the target', async () => {
    const source = await mint()
    const target = await newEndUser()
    succeeded(await world.test.post(`/v1/end_users/${source.end_user_id}/merge`, { into_id: target.id }))
    const again = await world.test.post(path, { end_user_id: source.end_user_id })
    assert.deepEqual([again.status, again.body.code], [409, 'identity_conflict'])
    assert.equal((await world.test.get(`${path}/${source.id}`)).body.end_user_id, target.id)
    const { body } = await world.test.get(`${path}?end_user_id=${target.id}`)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [source.id],
    )
    const next = succeeded(await renew(source.token))
    assert.equal(next.end_user_id, target.id)
    assert.equal((await world.test.delete(`/v1/end_users/${target.id}/sessions`)).status, 204)
    assert.equal(reasonOf(await renew(source.token)), '401 identity_invalid revoked')
    assert.equal(reasonOf(await renew(next.token)), '401 identity_invalid revoked')
  })

  test('422 for a conversation of somebody else, 201 for one of the end user', async () => {
    const session = await mint()
    const own = succeeded(await world.test.post('/v1/conversations', { end_user_id: session.end_user_id }))
    const other = succeeded(await world.test.post('/v1/conversations', { external_user_id: randomUUID() }))
    const bound = await mint({ end_user_id: session.end_user_id, conversation_id: own.id })
    assert.equal(bound.conversation_id, own.id)
    assert.equal(succeeded(await renew(bound.token)).conversation_id, own.id)
    const refused = await world.test.post(path, {
      end_user_id: session.end_user_id,
      conversation_id: other.id,
    })
    assert.partialDeepStrictEqual(refused.body.errors, [{ pointer: '/conversation_id', code: 'not_allowed' }])
  })

  test('a renewed session has the lifetime of the former one, which ends in a minute at most', async () => {
    const session = await mint({ external_user_id: randomUUID(), expires_in_seconds: 600 })
    const next = succeeded(await renew(session.token))
    assert.equal(Date.parse(next.expires_at) - Date.parse(next.created_at), 600_000)
    const { body: former } = await world.test.get(`${path}/${session.id}`)
    assert.equal(Date.parse(former.expires_at), Date.parse(next.created_at) + 60_000)
    const late = succeeded(await renew(session.token))
    assert.equal(Date.parse(late.expires_at) - Date.parse(late.created_at), 600_000)
    const short = await mint({ external_user_id: randomUUID(), expires_in_seconds: 60 })
    succeeded(await renew(short.token))
    assert.equal((await world.test.get(`${path}/${short.id}`)).body.expires_at, short.expires_at)
  })

  test('401 for a token that is mistyped, unknown, expired or revoked, each with its reason', async () => {
    const { token, id } = await mint()
    const wrong = token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x')
    assert.equal(reasonOf(await renew(wrong)), '401 identity_invalid malformed')
    assert.equal(reasonOf(await renew('bkl_eux_test_1')), '401 identity_invalid malformed')
    const gone = await mint()
    await api.db.write(sql`delete from end_user_sessions where id = ${uuidOf('eus', gone.id)}`)
    assert.equal(reasonOf(await renew(gone.token)), '401 identity_invalid unknown')
    assert.equal((await world.test.delete(`${path}/${id}`)).status, 204)
    const { status, body, headers } = await renew(token)
    assert.equal(reasonOf({ status, body }), '401 identity_invalid revoked')
    assert.match(headers.get('www-authenticate')!, /^Bearer/)
    assert.equal((await world.test.delete(`${path}/${id}`)).status, 204)
    const { body: shown } = await world.test.get(`${path}/${id}`)
    assert.deepEqual([shown.version, typeof shown.revoked_at], [2, 'string'])
  })

  test('a revocation that no server was told of holds within a second', async () => {
    const { token, id } = await mint()
    succeeded(await renew(token))
    await api.db.write(sql`update end_user_sessions set revoked_at = now() where id = ${uuidOf('eus', id)}`)
    await sleep(1_000)
    assert.equal(reasonOf(await renew(token)), '401 identity_invalid revoked')
  })

  test('a revocation holds on another process', async () => {
    const other = await api.another()
    const { token, id } = await mint()
    const client = other.client(token)
    succeeded(await client.post(`${path}/renew`))
    assert.equal((await world.test.delete(`${path}/${id}`)).status, 204)
    await sleep(1_000)
    assert.equal(reasonOf(await client.post(`${path}/renew`)), '401 identity_invalid revoked')
  })

  test('a use is recorded for session and end user, without a version and an event', async () => {
    const { token, id, end_user_id } = await mint()
    succeeded(await renew(token))
    const used = async () => (await world.test.get(`${path}/${id}`)).body.last_used_at !== null
    await until('the use of the session is recorded', used)
    const seen = async () => (await world.test.get(`/v1/end_users/${end_user_id}`)).body
    await until('the use of the end user is recorded', async () => (await seen()).last_seen_at !== null)
    assert.equal((await seen()).version, 1)
    const { body: events } = await world.test.get(`/v1/events?resource_id=${end_user_id}`)
    assert.equal(events.data.length, 1)
  })

  test('sessions of an end user that is deleted end', async () => {
    const { token, end_user_id, id } = await mint()
    assert.equal((await world.test.delete(`/v1/end_users/${end_user_id}`)).status, 204)
    assert.match(reasonOf(await renew(token)), /^401 identity_invalid (revoked|unknown)$/)
    assert.notEqual((await world.test.get(`${path}/${id}`)).body.revoked_at, null)
  })

  test('an anonymous visitor gets an unverified end user of its own, whatever it says', async () => {
    const known = await newEndUser({ emails: [{ address: 'ada@example.com', verified: true }] })
    const session = succeeded(
      await publishable.post(`${path}/anonymous`, { name: 'Ada', email: 'ada@example.com', language: 'en' }),
    )
    assert.equal(session.created_by, 'anonymous')
    assert.equal(Date.parse(session.expires_at) - Date.parse(session.created_at), 86_400_000)
    const { body: visitor } = await world.test.get(`/v1/end_users/${session.end_user_id}`)
    assert.notEqual(visitor.id, known.id)
    assert.partialDeepStrictEqual(visitor, {
      external_id: null,
      name: 'Ada',
      emails: [{ address: 'ada@example.com', verified: false }],
      verified_at: null,
    })
  })

  test('a replay of an anonymous session never shows its token, not even to the same client', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = succeeded(await publishable.post(`${path}/anonymous`, {}, headers))
    const replay = await publishable.post(`${path}/anonymous`, {}, headers)
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    const { token: _, ...shown } = first
    assert.deepEqual(replay.body, shown)
  })

  test('a renewal is replayed with its token to the token that asked, and to nobody else', async () => {
    const { token, end_user_id } = await mint()
    const headers = { 'idempotency-key': randomUUID() }
    const renewed = (key: string) => api.client(key).post(`${path}/renew`, undefined, headers)
    const first = succeeded(await renewed(token))
    assert.deepEqual((await renewed(token)).body, first)
    // Another session of the same end user shares the keys, and gets the session without its token.
    const sibling = await mint({ end_user_id })
    const { token: _, ...shown } = first
    assert.deepEqual((await renewed(sibling.token)).body, shown)
    // Another end user has keys of its own.
    const stranger = succeeded(await renewed((await mint()).token))
    assert.notEqual(stranger.id, first.id)
    assert.equal(typeof stranger.token, 'string')
  })

  test('events name the end user as the actor, the key as it was sent, and no token', async () => {
    const { token, end_user_id } = await mint()
    const key = randomUUID()
    const next = succeeded(
      await api.client(token).post(`${path}/renew`, undefined, { 'idempotency-key': key }),
    )
    const { body } = await world.test.get(`/v1/events?resource_id=${next.id}`)
    const [event] = body.data
    assert.deepEqual(event.actor, { type: 'end_user', id: end_user_id, operator_id: null })
    assert.deepEqual(event.request.idempotency_key, key)
    assert.equal('token' in event.data.object, false)
    const { body: log } = await world.test.get(`/v1/audit_log?actor_id=${end_user_id}`)
    assert.equal(log.data[0].action, 'end_user_session.created')
  })

  test('an end-user token acts for no operator', async () => {
    const { token } = await mint()
    const operator = succeeded(
      await world.test.post('/v1/operators', { name: 'Ada', email: `${randomUUID()}@x.io` }),
    )
    const answer = await api
      .client(token)
      .post(`${path}/renew`, undefined, { 'backline-operator': operator.id })
    assert.partialDeepStrictEqual(answer.body.errors, [{ header: 'Backline-Operator', code: 'not_allowed' }])
  })

  test('401 for a token past its end, by the clock of its environment', async () => {
    const { token } = await mint({ external_user_id: randomUUID(), expires_in_seconds: 60 })
    succeeded(await renew(token))
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 30 }))
    const next = succeeded(await renew(token))
    succeeded(await world.test.post('/v1/test_clock/advance', { seconds: 30 }))
    assert.equal(reasonOf(await renew(token)), '401 identity_invalid expired')
    assert.equal((await renew(next.token)).status, 201)
  })
})
