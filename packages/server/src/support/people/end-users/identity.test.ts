import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/*
 * Every way in which a claim comes to an end user, with an end user in every state. The claim may attach to it, change
 * it, or take it over only where this table says so.
 */

const api = service()
const states = ['unverified', 'verified', 'merged', 'erased', 'blocked'] as const
type State = (typeof states)[number]
let world: World
let page: Client
let secret: string

type Subject = { id: string; external_id: string; address: string; target: string | null }

/** An end user in a state, with an external id and a verified address. */
async function subject(state: State): Promise<Subject> {
  const { test } = world
  const external_id = randomUUID()
  const address = `${randomUUID()}@example.com`
  const emails = [{ address, verified: true }]
  const { id } = succeeded(await test.post('/v1/end_users', { external_id, emails, name: 'Before' }))
  let target: string | null = null
  if (state === 'verified') succeeded(await exchange(external_id))
  if (state === 'blocked') succeeded(await test.post(`/v1/end_users/${id}/block`))
  if (state === 'erased')
    await api.db.write(
      sql`update end_users set erased_at = now(), external_id = null, emails = '[]', name = null, version = version + 1
        where id = ${uuidOf('eu', id)}`,
      sql`delete from end_user_addresses where end_user_id = ${uuidOf('eu', id)}`,
    )
  if (state === 'merged') {
    target = succeeded(await test.post('/v1/end_users', { external_id: randomUUID() })).id
    const merge = { into_id: target, keep_alias: true }
    succeeded(await test.post(`/v1/end_users/${id}/merge`, merge))
  }
  return { id, external_id, address, target }
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWT by RFC 7519 with HS256. */
function jwt(claims: object): string {
  const exp = Math.floor(api.now() / 1000) + 600
  const content = `${encoded({ alg: 'HS256' })}.${encoded({ exp, ...claims })}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

const exchange = (sub: string, more: object = {}, claims: object = {}) =>
  page.post('/v1/end_user_sessions/exchange', { jwt: jwt({ sub, ...claims }), ...more })

const shown = async (id: string): Promise<Body> => succeeded(await world.test.get(`/v1/end_users/${id}`))

/** The outcome of a request: the status and reason of an error, or the end user that it came to. */
function outcome({ status, body }: { status: number; body: Body }, { id, target }: Subject): string {
  if (status >= 400) return `${status} ${body.params?.reason ?? body.errors?.[0]?.code ?? body.code}`
  const reached = body.end_user_id ?? body.end_user?.id ?? body.id
  return reached === id ? 'itself' : reached === target ? 'its target' : 'another'
}

/** A visitor without a proof, with a session. */
const visitor = async (more: object = {}) =>
  succeeded(await page.post('/v1/end_user_sessions/anonymous', more))

type Action = (subject: Subject) => Promise<{ status: number; body: Body }>

const actions: Record<string, Action> = {
  'create with the same address, verified': ({ address }) =>
    world.test.post('/v1/end_users', { emails: [{ address, verified: true }] }),
  'create with the same address, not verified': ({ address }) =>
    world.test.post('/v1/end_users', { emails: [{ address }] }),
  'patch by id': ({ id }) => world.test.patch(`/v1/end_users/${id}`, { name: 'After' }),
  'upsert by external id': ({ external_id }) =>
    world.test.put(`/v1/end_users/external/${external_id}`, { name: 'After' }),
  'anonymous session with the address': ({ address }) =>
    page.post('/v1/end_user_sessions/anonymous', { email: address, name: 'After' }),
  'exchange of a JWT': ({ external_id }) => exchange(external_id),
  'session by id': ({ id }) => world.test.post('/v1/end_user_sessions', { end_user_id: id }),
  'conversation by id': ({ id }) => world.test.post('/v1/conversations', { end_user_id: id }),
  'conversation by external id': ({ external_id }) =>
    world.test.post('/v1/conversations', { external_user_id: external_id }),
  'conversation of an operator': ({ id }) =>
    world.test.post('/v1/conversations', { end_user_id: id, initiated_by_side: 'operator' }),
  'merge from a visitor': async ({ id }) =>
    world.test.post(`/v1/end_users/${(await visitor()).end_user_id}/merge`, { into_id: id }),
  'merge into a visitor': async ({ id }) =>
    world.test.post(`/v1/end_users/${id}/merge`, { into_id: (await visitor()).end_user_id }),
  'merge into a verified one': async ({ id }) => {
    const into = succeeded(await exchange(randomUUID()))
    return world.test.post(`/v1/end_users/${id}/merge`, { into_id: into.end_user_id, keep_alias: true })
  },
}

const expected: Record<string, Record<State, string>> = {
  'create with the same address, verified': all('409 already_exists', {
    merged: '409 already_exists',
    erased: 'another',
  }),
  'create with the same address, not verified': all('another'),
  'patch by id': all('itself', { merged: '409 merged', erased: '409 erased' }),
  'upsert by external id': all('itself', { merged: 'its target', erased: 'another' }),
  'anonymous session with the address': all('another'),
  'exchange of a JWT': all('itself', {
    merged: 'its target',
    erased: 'another',
    blocked: '403 end_user_blocked',
  }),
  'session by id': all('itself', {
    merged: '409 merged',
    erased: '422 not_allowed',
    blocked: '403 end_user_blocked',
  }),
  'conversation by id': all('itself', {
    merged: '409 merged',
    erased: '422 not_allowed',
    blocked: '403 end_user_blocked',
  }),
  'conversation by external id': all('itself', {
    merged: 'its target',
    erased: 'another',
    blocked: '403 end_user_blocked',
  }),
  'conversation of an operator': all('itself', { merged: '409 merged', erased: '422 not_allowed' }),
  'merge from a visitor': all('itself', { merged: '422 not_allowed', erased: '422 not_allowed' }),
  'merge into a visitor': all('another', {
    verified: '409 target_unverified',
    merged: '409 merged',
    erased: '409 erased',
  }),
  'merge into a verified one': all('another', { merged: '409 merged', erased: '409 erased' }),
}

function all(outcome: string, others: Partial<Record<State, string>> = {}): Record<State, string> {
  return {
    unverified: outcome,
    verified: outcome,
    merged: outcome,
    erased: outcome,
    blocked: outcome,
    ...others,
  }
}

describe('an identity', () => {
  before(async () => {
    world = await api.world()
    const { test } = world
    const key = succeeded(await test.post('/v1/identity_keys', { name: 'App', algorithm: 'HS256' }))
    secret = key.secret
    const made = succeeded(await test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' }))
    page = api.client(made.secret)
  })

  for (const [action, outcomes] of Object.entries(expected))
    for (const state of states)
      test(`${state}, ${action}: ${outcomes[state]}`, async () => {
        const one = await subject(state)
        assert.equal(outcome(await actions[action]!(one), one), outcomes[state])
      })

  for (const state of states)
    test(`${state}, no anonymous visitor changes it by naming its address`, async () => {
      const { id, address } = await subject(state)
      const before = await shown(id)
      await visitor({ email: address, name: 'Mallory' })
      assert.deepEqual(await shown(id), before)
    })

  for (const state of states)
    test(`${state}, ${state === 'unverified' ? 'is' : 'is not'} adopted as a visitor by whoever signs in with its session`, async () => {
      const session = await visitor()
      const id: string = session.end_user_id
      const uuid = uuidOf('eu', id)
      const into = state === 'merged' ? (await visitor()).end_user_id : null
      if (into) succeeded(await world.test.post(`/v1/end_users/${id}/merge`, { into_id: into }))
      if (state === 'blocked') succeeded(await world.test.post(`/v1/end_users/${id}/block`))
      if (state === 'verified' || state === 'erased')
        await api.db.write(
          state === 'verified'
            ? sql`update end_users set verified_at = now(), version = version + 1 where id = ${uuid}`
            : sql`update end_users set erased_at = now(), version = version + 1 where id = ${uuid}`,
        )
      const before = await shown(into ?? id)
      const signedIn = succeeded(await exchange(randomUUID(), { previous_token: session.token }))
      const after = await shown(into ?? id)
      // The session of a merged visitor is that of the target, which is an unverified visitor here.
      if (state === 'unverified' || state === 'merged')
        assert.equal(after.merged_into_id, signedIn.end_user_id)
      else assert.deepEqual(after, before)
    })

  test('a known person is not adopted, and a token that nobody has is ignored', async () => {
    const known = succeeded(
      await world.test.post('/v1/end_user_sessions', { external_user_id: randomUUID() }),
    )
    succeeded(await exchange(randomUUID(), { previous_token: known.token }))
    assert.equal((await shown(known.end_user_id)).status, 'active')
    succeeded(await exchange(randomUUID(), { previous_token: 'bkl_eut_test_nothing' }))
  })

  test('a verified address of another end user is added unverified by a JWT', async () => {
    const { address } = await subject('unverified')
    const { end_user_id } = succeeded(
      await exchange(randomUUID(), {}, { email: address, email_verified: true }),
    )
    assert.deepEqual((await shown(end_user_id)).emails, [{ address, verified: false }])
  })
})
