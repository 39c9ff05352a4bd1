import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { list, type Resource, read, write } from '@backline/server/platform/resource/resource.ts'
import { Shape, Type } from '@backline/server/platform/resource/schema.ts'
import { live } from '@backline/server/platform/resource/streams.ts'
import { defineWire } from '@backline/server/platform/resource/wire.ts'
import { type TokenHolder, tokenHolderOf } from '@backline/server/support/vocabulary/principal.ts'
import { succeeded } from './desk.ts'
import { type Client, service, type World } from './harness.ts'
import { until } from './processes.ts'

/*
 * The properties of every route that takes an end-user token, by routes that exist only here: the end user in the
 * context, cursors, idempotency keys, the limit of writes, and streams.
 */

type Row = { id: string; end_user: TokenHolder | null }
const wire = defineWire<Row>({
  name: 'Probe',
  schema: Shape({ id: Type.String(), end_user: Type.Unsafe<unknown>({}) }),
  example: { id: 'x', end_user: null },
  present: (row) => ({ ...row, end_user: JSON.parse(JSON.stringify(row.end_user)) }),
})
const texts = { summary: 'x', description: 'x' }
const credential = 'end_user_token'
const ids = ['a', 'b', 'c']

const probe: Resource = {
  name: 'probe',
  events: [],
  routes: [
    read({
      ...texts,
      path: '/probe',
      name: 'getProbe',
      credential,
      reply: wire,
      versioned: false,
      handle: async (ctx) => ({ id: 'x', end_user: tokenHolderOf(ctx) }),
    }),
    list({
      ...texts,
      path: '/probe/list',
      name: 'listProbes',
      credential,
      item: wire,
      sorts: ['name'],
      sortKey: ({ id }) => [id],
      handle: async (_, { page }) =>
        ids
          .filter((id) => !page.after || id > String(page.after[0]))
          .slice(0, page.limit)
          .map((id) => ({ id, end_user: null })),
      count: async () => ids.length,
    }),
    write({
      ...texts,
      method: 'POST',
      path: '/probe',
      name: 'createProbe',
      credential,
      limitedFor: 'end_user_writes',
      reply: wire,
      versionOf: null,
      handle: () => ({ id: randomUUID(), end_user: null }),
    }),
    live({
      ...texts,
      path: '/probe/stream',
      name: 'streamProbes',
      credential,
      piece: wire,
      replyExample: '',
      cursorsOf: { path: '/events', sort: 'commit' },
      handle: async (_ctx, _input, _resuming, reader) => ({
        start: () => void reader.send(': hello\n\n'),
        resume: () => undefined,
        tick: () => undefined,
        close: () => undefined,
      }),
    }),
  ],
}

describe('end-user tokens', () => {
  const api = service({
    environment: { BACKLINE_END_USER_WRITES_PER_10_SECONDS: '' }, // the default
    versions: (resources) => [{ prefix: '/v1', resources: [...resources, probe] }],
  })
  let world: World

  before(async () => {
    world = await api.world()
  })

  const mint = async (more: object = {}) => {
    const body = { ...('end_user_id' in more ? {} : { external_user_id: randomUUID() }), ...more }
    const session = succeeded(await world.test.post('/v1/end_user_sessions', body))
    return { ...session, client: api.client(session.token) as Client }
  }

  test('handlers see the end user, the session and its conversation', async () => {
    const { client, id, end_user_id } = await mint()
    const { id: conversation_id } = succeeded(await world.test.post('/v1/conversations', { end_user_id }))
    const seen = async (of: Client) => succeeded(await of.get('/v1/probe')).end_user
    const endUserId = uuidOf('eu', end_user_id)
    assert.deepEqual(await seen(client), {
      id: endUserId,
      ownerId: endUserId,
      sessionId: uuidOf('eus', id),
      conversationId: null,
      isBlocked: false,
    })
    const bound = await mint({ end_user_id, conversation_id })
    assert.equal((await seen(bound.client)).conversationId, uuidOf('conv', conversation_id))
  })

  test('a block shows within a second, and until its end', async () => {
    const { client, end_user_id } = await mint()
    succeeded(await client.get('/v1/probe'))
    succeeded(await world.test.post(`/v1/end_users/${end_user_id}/block`, {}))
    await until('it shows', async () => (await client.get('/v1/probe')).body.end_user.isBlocked)
    succeeded(await world.test.post(`/v1/end_users/${end_user_id}/unblock`, {}))
    await until('it ends', async () => !(await client.get('/v1/probe')).body.end_user.isBlocked)
  })

  test('a token of an erased end user is refused as revoked', async () => {
    const { client, end_user_id } = await mint()
    await api.db.write(sql`update end_users set erased_at = now() where id = ${uuidOf('eu', end_user_id)}`)
    const { status, body } = await client.get('/v1/probe')
    assert.deepEqual([status, body.params], [401, { reason: 'revoked' }])
  })

  test('a cursor is that of its end user, who can use it in another session', async () => {
    const one = await mint()
    const { next_cursor } = succeeded(await one.client.get('/v1/probe/list?limit=1'))
    const next = (client: Client) => client.get(`/v1/probe/list?limit=1&cursor=${next_cursor}`)
    assert.equal(succeeded(await next((await mint({ end_user_id: one.end_user_id })).client)).data[0].id, 'b')
    assert.equal((await next((await mint()).client)).body.code, 'cursor_mismatch')
  })

  test('an idempotency key is that of its end user: nobody else takes it up or replays it', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const [one, other] = [await mint(), await mint()]
    const sibling = await mint({ end_user_id: one.end_user_id })
    const post = async ({ client }: { client: Client }) =>
      succeeded(await client.post('/v1/probe', undefined, headers))
    const first = await post(one)
    assert.deepEqual(await post(one), first)
    assert.deepEqual(await post(sibling), first)
    assert.notEqual((await post(other)).id, first.id)
    const tag = await world.test.post('/v1/tags', { name: randomUUID() }, headers)
    assert.equal(tag.status, 201)
  })

  test('5 writes in 10 seconds for one end user, by whatever session and with whatever success', async () => {
    const one = await mint()
    const sibling = await mint({ end_user_id: one.end_user_id })
    const statuses = []
    for (const [{ client }, body] of [
      [one, undefined],
      [sibling, undefined],
      [one, { nonsense: 1 }],
      [sibling, undefined],
      [one, undefined],
      [one, undefined],
      [sibling, undefined],
    ] as const)
      statuses.push((await client.post('/v1/probe', body)).status)
    assert.deepEqual(statuses, [200, 200, 422, 200, 200, 429, 429])
    const refused = await one.client.post('/v1/probe')
    assert.match(refused.headers.get('retry-after')!, /^([1-9]|10)$/)
    assert.equal((await one.client.get('/v1/probe')).status, 200)
    assert.equal((await (await mint()).client.post('/v1/probe')).status, 200)
  })

  const stream = async (token: string) => {
    const controller = new AbortController()
    const response = await fetch(`${api.url}/v1/probe/stream`, {
      headers: { authorization: `Bearer ${token}` },
      signal: controller.signal,
    })
    return { response, close: () => controller.abort() }
  }

  test('a stream ends soon after its session was revoked in the database alone, others go on', async () => {
    const [one, other] = [await mint(), await mint()]
    const [ending, going] = [await stream(one.token), await stream(other.token)]
    assert.equal(ending.response.headers.get('access-control-allow-origin'), '*')
    const end = async ({ response }: typeof ending) => {
      for await (const _ of response.body!);
    }
    let goes = true
    void end(going)
      .catch(() => undefined)
      .finally(() => {
        goes = false
      })
    await api.db.write(
      sql`update end_user_sessions set revoked_at = now() where id = ${uuidOf('eus', one.id)}`,
    )
    await end(ending).catch(() => undefined)
    assert.equal(goes, true)
    going.close()
  })

  test('an end user has 20 open streams at most', async () => {
    const { token, end_user_id } = await mint()
    const sibling = await mint({ end_user_id })
    const open = await Promise.all(Array.from({ length: 20 }, () => stream(token)))
    assert.ok(open.every(({ response }) => response.status === 200))
    const refused = await stream(sibling.token)
    assert.equal(refused.response.status, 503)
    assert.equal((await stream((await mint()).token)).response.status, 200)
    for (const { close } of open) close()
  })
})
