import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { tablesWith } from '@backline/test/plaintext.ts'
import {
  attempt,
  delivered,
  type JournalEvent,
  journalOf,
  uuid,
  webhookEndpoint,
} from '@backline/test/webhook-fixtures.ts'
import { plusSeconds, toInstant } from '../../../../platform/kernel/clock.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { environmentsWithExpiredDeliveries, sweepDeliveries } from './queries.ts'

const api = service()

const newest = async ({ environments }: World): Promise<JournalEvent> =>
  (await journalOf(api, environments.test)).at(-1)!

const shown = (client: Client, id: string) => client.get(`/v1/webhook_deliveries/${id}`)
const retry = (client: Client, id: string) => client.post(`/v1/webhook_deliveries/${id}/retry`)

/** The columns of a delivery that the API does not show. */
const inside = async (id: string): Promise<Body> =>
  api.db.maybe(
    sql`select tries, erased, body, epoch, position::text from webhook_deliveries where id = ${uuid(id)}`,
  )

describe('a test', () => {
  const sendTest = (client: Client, { id }: Body, event_type = 'conversation.resolved') =>
    client.post(`/v1/webhook_endpoints/${id}/test`, { event_type })

  test('202 with a due delivery of an example event, which the journal does not contain', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test)
    const known = await journalOf(api, environments.test)
    const answer = await sendTest(test, endpoint)
    const { status, headers, body: delivery } = answer
    assert.equal(status, 202)
    assert.equal(headers.get('location'), `/v1/webhook_deliveries/${delivery.id}`)
    const expected = {
      endpoint_id: endpoint.id,
      event_type: 'conversation.resolved',
      status: 'pending',
      attempts: [],
    }
    assert.partialDeepStrictEqual(delivery, expected)
    assert.equal(delivery.next_attempt_at, delivery.created_at)
    assert.deepEqual((await shown(test, delivery.id)).body, delivery)
    assert.deepEqual(await journalOf(api, environments.test), known)

    const { body, epoch } = await inside(delivery.id)
    assert.equal(epoch, null)
    const types = succeeded(await test.get('/v1/event_types?limit=100')).data
    const { example } = types.find(({ type }: Body) => type === 'conversation.resolved')
    const { id, created_at, environment, actor, request, ...rest } = JSON.parse(body)
    assert.partialDeepStrictEqual(example, rest)
    assert.deepEqual([id, created_at, environment], [delivery.event_id, delivery.created_at, 'test'])
    assert.equal(actor.type, 'api_key')
    assert.equal(request.id, headers.get('request-id'))
    assert.deepEqual(Object.keys(JSON.parse(body)), Object.keys(example))
  })

  test('is a new event each time, of any existing type, and 422 for others', async () => {
    const { test } = await api.world()
    const endpoint = await webhookEndpoint(test)
    const ids = new Set<string>()
    const types = succeeded(await test.get('/v1/event_types?limit=100')).data
    for (const { type } of types) ids.add(succeeded(await sendTest(test, endpoint, type)).event_id)
    assert.equal(ids.size, types.length)
    for (const type of ['*', 'conversation.*', 'nonsense'])
      assert.partialDeepStrictEqual((await sendTest(test, endpoint, type)).body.errors, [
        { pointer: '/event_type', code: 'not_allowed' },
      ])
  })

  test('409 while the endpoint is paused', async () => {
    const { test } = await api.world()
    const endpoint = await webhookEndpoint(test, { status: 'paused' })
    const { status, body } = await sendTest(test, endpoint)
    assert.deepEqual([status, body.code], [409, 'invalid_transition'])
    assert.deepEqual(body.params, { from: 'paused', action: 'test', allowed: [] })
  })
})

describe('deliveries', () => {
  test('are listed by endpoint, status and type of event, newest first or oldest first', async () => {
    const world = await api.world()
    const { test, environments } = world
    const [endpoint, other] = [await webhookEndpoint(test), await webhookEndpoint(test)]
    const [first, second] = (await journalOf(api, environments.test)).slice(-2)
    await conversation(test)
    const third = await newest(world)
    const failed = await delivered(api, environments.test, endpoint.id, first!, 'failed', [attempt()])
    const pending = await delivered(api, environments.test, endpoint.id, second!, 'pending')
    const succeededId = await delivered(api, environments.test, endpoint.id, third, 'succeeded')
    await delivered(api, environments.test, other.id, third, 'failed')
    const ids = async (query: string) =>
      succeeded(await test.get(`/v1/webhook_endpoints/${endpoint.id}/deliveries?${query}`)).data.map(
        ({ id }: Body) => id,
      )
    assert.deepEqual(await ids(''), [succeededId, pending, failed])
    assert.deepEqual(await ids('sort=created_at'), [failed, pending, succeededId])
    assert.deepEqual(await ids('status=failed'), [failed])
    assert.deepEqual(await ids('event_type=conversation.created'), [succeededId])
    assert.deepEqual(await ids('event_type=conversation.created&status=pending'), [])
    const { body } = await test.get(`/v1/webhook_endpoints/${endpoint.id}/deliveries?event_type=nonsense`)
    assert.equal(body.code, 'invalid_query')
    assert.partialDeepStrictEqual((await shown(test, failed)).body, {
      event_id: typeId('evt', first!.id),
      event_type: 'webhook_endpoint.created',
      next_attempt_at: null,
      attempts: [attempt()],
    })
  })

  test('404 for those of a deleted endpoint; the sweep removes only these', async () => {
    const world = await api.world()
    const { test, environments } = world
    const { tenantId } = environments.test
    const [gone, staying] = [await webhookEndpoint(test), await webhookEndpoint(test)]
    for (const event of (await journalOf(api, environments.test)).slice(-2)) {
      await delivered(api, environments.test, gone.id, event, 'pending')
      await delivered(api, environments.test, staying.id, event, 'succeeded')
    }
    const of = (id: string) => test.get(`/v1/webhook_endpoints/${id}/deliveries`)
    const ids: string[] = succeeded(await of(gone.id)).data.map(({ id }: Body) => id)
    assert.equal(ids.length, 2)
    succeeded(await test.delete(`/v1/webhook_endpoints/${gone.id}`))
    assert.equal((await of(gone.id)).status, 404)
    for (const id of ids) {
      assert.equal((await shown(test, id)).status, 404)
      assert.equal((await retry(test, id)).status, 404)
    }
    const longAgo = plusSeconds(toInstant(api.now()), -86_400)
    assert.equal(await sweepDeliveries(api.db, tenantId, longAgo, 1), 1)
    assert.equal(await sweepDeliveries(api.db, tenantId, longAgo, 10), 1)
    assert.equal(await sweepDeliveries(api.db, tenantId, longAgo, 10), 0)
    for (const id of ids) assert.equal(await inside(id), null)
    assert.equal(succeeded(await of(staying.id)).data.length, 2)
  })

  test('a sweep visits environments with deliveries of a deleted endpoint or with old ones, and no others', async () => {
    const finds = async (tenantId: string, now = api.now()) =>
      (await environmentsWithExpiredDeliveries(api.db, now)).includes(tenantId)
    for (const deleted of [0, 1]) {
      const world = await api.world()
      const { tenantId } = world.environments.test
      const ids = [(await webhookEndpoint(world.test)).id, (await webhookEndpoint(world.test)).id]
      for (const id of ids)
        await delivered(api, world.environments.test, id, await newest(world), 'succeeded')
      assert.ok(!(await finds(tenantId)))
      assert.ok(await finds(tenantId, api.now() + 91 * 86_400_000))
      succeeded(await world.test.delete(`/v1/webhook_endpoints/${ids[deleted]}`))
      assert.ok(await finds(tenantId))
      assert.equal(await sweepDeliveries(api.db, tenantId, plusSeconds(toInstant(api.now()), -86_400), 10), 1)
      assert.ok(!(await finds(tenantId)))
    }
  })

  test('the sweep removes old ones in batches, if they are not pending and the feed has dropped their event', async () => {
    const world = await api.world()
    const { test, environments } = world
    const { tenantId } = environments.test
    const endpoint = await webhookEndpoint(test)
    for (let i = 0; i < 5; i++) await conversation(test)
    const events = await journalOf(api, environments.test)
    const statuses = ['succeeded', 'failed', 'pending', 'failed', 'succeeded'] as const
    const ids: string[] = []
    for (const [i, status] of statuses.entries())
      ids.push(await delivered(api, environments.test, endpoint.id, events[i]!, status))
    api.advance(10)
    const cutoff = toInstant(api.now() - 5_000)
    const young = await delivered(api, environments.test, endpoint.id, events[5]!, 'failed')
    const sweep = (limit: number) => sweepDeliveries(api.db, tenantId, cutoff, limit)
    assert.equal(await sweep(3), 0, 'a recovery would send them again')
    await api.db.write(sql`insert into journal_floors (tenant_id, epoch, position, ordinal)
      select tenant_id, epoch, position, ordinal from events where tenant_id = ${tenantId} order by epoch desc, position desc, ordinal desc limit 1`)
    assert.deepEqual([await sweep(3), await sweep(3), await sweep(3)], [3, 1, 0])
    const left = succeeded(await test.get(`/v1/webhook_endpoints/${endpoint.id}/deliveries`)).data
    assert.deepEqual(
      left.map(({ id }: Body) => id),
      [young, ids[2]],
    )
  })
})

describe('a retry', () => {
  for (const status of ['failed', 'succeeded', 'pending'] as const) {
    test(`202 and due now, with the schedule restarted: one that is ${status}`, async () => {
      const world = await api.world()
      const { test, environments } = world
      const endpoint = await webhookEndpoint(test)
      const attempts = [
        attempt(),
        attempt({ error: 'timed out', response_status: null, response_body: null }),
      ]
      const id = await delivered(api, environments.test, endpoint.id, await newest(world), status, attempts)
      api.advance(60)
      const known = await journalOf(api, environments.test)
      const before = api.now()
      const { status: answered, body } = await retry(test, id)
      assert.equal(answered, 202)
      assert.partialDeepStrictEqual(body, { id, status: 'pending', attempts, version: 2 })
      assert.ok(Date.parse(body.next_attempt_at) >= before)
      assert.equal((await inside(id)).tries, 0)
      assert.deepEqual((await shown(test, id)).body, body)
      assert.deepEqual(await journalOf(api, environments.test), known)
    })
  }

  test('409 after the feed has dropped the event; a test can still be repeated', async () => {
    const world = await api.world()
    const { test, environments } = world
    const { tenantId } = environments.test
    const endpoint = await webhookEndpoint(test)
    const old = await newest(world)
    await conversation(test)
    const kept = await newest(world)
    const [gone, staying] = [
      await delivered(api, environments.test, endpoint.id, old, 'failed'),
      await delivered(api, environments.test, endpoint.id, kept, 'failed'),
    ]
    const tested = succeeded(
      await test.post(`/v1/webhook_endpoints/${endpoint.id}/test`, { event_type: 'tag.created' }),
    )
    await api.db.write(sql`insert into journal_floors (tenant_id, epoch, position, ordinal)
      values (${tenantId}, ${old.epoch}, ${old.position}::text::xid8, ${old.ordinal})`)
    const { status, body } = await retry(test, gone)
    assert.deepEqual([status, body.code], [409, 'invalid_transition'])
    assert.deepEqual(body.params, { from: 'expired', action: 'retry', allowed: [] })
    assert.equal((await retry(test, staying)).status, 202)
    assert.equal((await retry(test, tested.id)).status, 202)
  })

  test('202 while the endpoint is paused: it waits', async () => {
    const world = await api.world()
    const endpoint = await webhookEndpoint(world.test, { status: 'paused' })
    const id = await delivered(api, world.environments.test, endpoint.id, await newest(world), 'failed')
    assert.partialDeepStrictEqual(succeeded(await retry(world.test, id)), { status: 'pending' })
  })
})

test('erasing a message erases the responses to it, in the log and in stored replays', async () => {
  const world = await api.world()
  const { test, environments } = world
  const endpoint = await webhookEndpoint(test)
  const { id: conversationId } = await conversation(test)
  const unrelated = await newest(world)
  const text = randomUUID()
  const message = await say(test, conversationId, 'end_user', { body: text })
  const created = (await journalOf(api, environments.test)).find(({ type }) => type === 'message.created')!
  const silent = attempt({ response_status: null, response_body: null, error: 'timed out' })
  const attempts = [attempt({ response_body: `echo ${text}` }), silent, attempt({ response_body: '' })]
  const id = await delivered(api, environments.test, endpoint.id, created, 'failed', attempts)
  const other = await delivered(api, environments.test, endpoint.id, unrelated, 'failed', [attempt()])
  const key = { 'idempotency-key': randomUUID() }
  const path = `/v1/webhook_deliveries/${id}/retry`
  const retried = succeeded(await test.post(path, undefined, key))
  assert.ok((await tablesWith(api, text)).includes('webhook_deliveries'))

  succeeded(await test.post(`/v1/messages/${message.id}/redact`))
  assert.deepEqual(await tablesWith(api, text), [])
  const emptied = [{ ...attempts[0], response_body: '' }, silent, attempts[2]]
  const { body } = await shown(test, id)
  assert.deepEqual(body.attempts, emptied)
  assert.partialDeepStrictEqual(body, { status: 'pending', version: 3 })
  assert.equal((await inside(id)).erased, true)
  const replayed = await test.post(path, undefined, key)
  assert.deepEqual(replayed.body, { ...retried, attempts: emptied })
  assert.partialDeepStrictEqual((await shown(test, other)).body, { attempts: [attempt()], version: 1 })
  assert.equal((await inside(other)).erased, false)
})
