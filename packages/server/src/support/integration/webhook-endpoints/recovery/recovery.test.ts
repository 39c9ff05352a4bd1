import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { appendCopies } from '@backline/test/journal-fixtures.ts'
import {
  attempt,
  delivered,
  type JournalEvent,
  journalOf,
  uuid,
  webhookEndpoint,
} from '@backline/test/webhook-fixtures.ts'
import { toInstant } from '../../../../platform/kernel/clock.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

const api = service()
const longAgo = '2020-01-01T00:00:00Z'

const ask = (client: Client, { id }: Body, since: string, headers?: Record<string, string>) =>
  client.post(`/v1/webhook_endpoints/${id}/recover`, { since }, headers)

/** Returns the number of events in the response. */
async function recover(client: Client, endpoint: Body, since = longAgo): Promise<number> {
  const answer = await ask(client, endpoint, since)
  assert.equal(answer.status, 202, answer.text)
  const { events, ...rest } = answer.body
  assert.deepEqual(rest, {
    object: 'webhook_recovery',
    endpoint_id: endpoint.id,
    since: new Date(since).toISOString(),
  })
  return events
}

/** Runs the work that a recovery has scheduled. */
const goOn = async (client: Client, seconds = 60) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const hour = 3600

/** A recovery that has reached a position, and continues in an hour up to `last`. */
async function halfway({ environments }: World, { id }: Body, at: JournalEvent, last = at): Promise<void> {
  const { tenantId } = environments.test
  const [recovery, dueAt] = [randomUUID(), toInstant(api.now() + hour * 1000)]
  await api.db.write(sql`with due as (insert into due_work (tenant_id, duty, subject_id, due_at)
      values (${tenantId}, 'webhook_recovery', ${recovery}, ${dueAt}))
    insert into webhook_recoveries (tenant_id, id, endpoint_id, since, epoch, position, ordinal, until_epoch, until_position, created_at)
    values (${tenantId}, ${recovery}, ${uuid(id)}, ${longAgo}, ${at.epoch}, ${at.position}::text::xid8, ${at.ordinal},
      ${last.epoch}, ${last.position}::text::xid8, ${dueAt})`)
}

type Row = JournalEvent & { status: string; tries: number; next_attempt_at: string | null; version: number }

/** Returns the deliveries of an endpoint by event, in the order of the journal. */
async function rowsOf({ environments }: World, { id }: Body): Promise<Map<string, Row>> {
  const rows = await api.db.rows<
    Row & { event_id: string }
  >(sql`select event_id, event_type as type, epoch, position, ordinal,
      status, tries, next_attempt_at, version from webhook_deliveries
    where tenant_id = ${environments.test.tenantId} and endpoint_id = ${uuid(id)} order by epoch, webhook_deliveries.position, ordinal`)
  return new Map(rows.map(({ event_id, ...row }) => [event_id, { ...row, id: event_id }]))
}

const left = async ({ environments }: World): Promise<number[]> => {
  const { tenantId } = environments.test
  const counts = await Promise.all([
    api.db.rows(sql`select 1 from webhook_recoveries where tenant_id = ${tenantId}`),
    api.db.rows(sql`select 1 from due_work where tenant_id = ${tenantId} and duty = 'webhook_recovery'`),
  ])
  return counts.map((rows) => rows.length)
}

/** Appends copies of the newest event. */
const appendEvents = ({ environments }: World, count: number): Promise<void> =>
  appendCopies(api.db, environments.test.tenantId, count, 'tag.updated')

const typed = (events: JournalEvent[], type: string) => events.filter((event) => event.type === type)

test('creates missing deliveries, restarts failed ones, and leaves the others', async () => {
  const world = await api.world()
  const { test, environments } = world
  for (let i = 0; i < 5; i++) {
    const { id } = await conversation(test)
    await say(test, id, 'end_user')
  }
  const endpoint = await webhookEndpoint(test, { enabled_events: ['conversation.*', 'tag.created'] })
  const known = await journalOf(api, environments.test)
  const [first, second, third, ...others] = typed(known, 'conversation.created')
  await delivered(api, environments.test, endpoint.id, first!, 'succeeded', [
    attempt({ response_status: 200 }),
  ])
  await delivered(api, environments.test, endpoint.id, second!, 'pending', [attempt()])
  const failed = await delivered(api, environments.test, endpoint.id, third!, 'failed', [
    attempt(),
    attempt(),
  ])
  const [message] = typed(known, 'message.created')
  // a type that the endpoint no longer subscribes to
  await delivered(api, environments.test, endpoint.id, message!, 'failed')
  const before = await rowsOf(world, endpoint)
  const begun = toInstant(api.now())

  assert.equal(await recover(test, endpoint), 3)
  const after = await rowsOf(world, endpoint)
  for (const { id } of [first!, second!, message!]) assert.deepEqual(after.get(id), before.get(id))
  assert.equal(after.size, 6)
  for (const { id, ...place } of [third!, ...others]) {
    assert.partialDeepStrictEqual(after.get(id), { ...place, status: 'pending', tries: 0 })
    assert.ok(after.get(id)!.next_attempt_at! >= begun)
  }
  const shown = succeeded(await test.get(`/v1/webhook_deliveries/${failed}`))
  assert.partialDeepStrictEqual(shown, { status: 'pending', attempts: [attempt(), attempt()], version: 2 })
  const list = succeeded(await test.get(`/v1/webhook_endpoints/${endpoint.id}/deliveries`))
  assert.equal(list.data.length, 6)
  assert.deepEqual(await journalOf(api, environments.test), known)

  assert.equal(await recover(test, endpoint), 0)
  assert.deepEqual(await rowsOf(world, endpoint), after)
  assert.deepEqual(await left(world), [0, 0])
})

test('recovers only events after `since`', async () => {
  const world = await api.world()
  const { test } = world
  const endpoint = await webhookEndpoint(test, { enabled_events: ['conversation.created'], status: 'paused' })
  const times: string[] = []
  for (const seconds of [0, 1, 40, 300, 86_400]) {
    api.advance(seconds)
    times.push((await conversation(test)).created_at)
  }
  const plus = (time: string, ms: number) => new Date(Date.parse(time) + ms).toISOString()
  for (const [i, time] of times.toReversed().entries()) {
    assert.equal(await recover(test, endpoint, plus(time, 1)), 0)
    assert.equal(await recover(test, endpoint, time), 1)
    assert.equal((await rowsOf(world, endpoint)).size, i + 1)
  }
  const offset = times[0]!.replace('Z', '+00:00')
  assert.equal((await ask(test, endpoint, offset)).body.since, times[0])
  const { status, body } = await ask(test, endpoint, plus(toInstant(api.now()), 60_000))
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.errors, [{ pointer: '/since', code: 'too_large' }])
})

describe('many events', () => {
  test('are recovered in turns of five hundred; a request waits for the first', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'], status: 'paused' })
    await appendEvents(world, 1_100)
    assert.equal(await recover(test, endpoint), 1_100)
    const first = (await rowsOf(world, endpoint)).size
    assert.ok([500, 1_000, 1_100].includes(first), `${first} at once`)
    await goOn(test)
    const rows = await rowsOf(world, endpoint)
    const events = typed(await journalOf(api, environments.test), 'tag.updated')
    assert.deepEqual(
      [...rows.keys()],
      events.map(({ id }) => id),
    )
    for (const row of rows.values()) assert.partialDeepStrictEqual(row, { status: 'pending', version: 1 })
    assert.deepEqual(await left(world), [0, 0])
  })

  test('no delivery restarts twice when recoveries overlap with new deliveries', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'] })
    await appendEvents(world, 1_200)
    const events = typed(await journalOf(api, environments.test), 'tag.updated')
    for (const event of events.slice(700, 760))
      await delivered(api, environments.test, endpoint.id, event, 'failed')
    const answers = await Promise.all([1, 2, 3].map(() => recover(test, endpoint)))
    assert.equal(Math.max(...answers), 1_200)
    await api.db.write(sql`update webhook_deliveries set status = 'succeeded', next_attempt_at = null, version = version + 1
      where tenant_id = ${environments.test.tenantId} and status = 'pending'`)
    await Promise.all([recover(test, endpoint), goOn(test)])
    await goOn(test)
    const rows = [...(await rowsOf(world, endpoint)).values()]
    assert.equal(rows.length, 1_200)
    assert.ok(rows.filter(({ status }) => status === 'succeeded').length >= 500)
    for (const [i, { status, version }] of rows.entries()) {
      const changes = (i >= 700 && i < 760 ? 1 : 0) + (status === 'succeeded' ? 1 : 0)
      assert.equal(version, 1 + changes, `${status} ${i}`)
    }
    assert.deepEqual(await left(world), [0, 0])
    assert.equal(await recover(test, endpoint), 0)
  })

  test('are scanned for the few that match, even if a turn finds none', async () => {
    const world = await api.world()
    const { test } = world
    const endpoint = await webhookEndpoint(test, {
      enabled_events: ['conversation.created'],
      status: 'paused',
    })
    await conversation(test)
    await appendEvents(world, 21_000)
    await conversation(test)
    assert.equal(await recover(test, endpoint), 2)
    await goOn(test)
    assert.equal((await rowsOf(world, endpoint)).size, 2)
    assert.deepEqual(await left(world), [0, 0])
  })

  test('a recovery continues from its position to its end', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'] })
    await appendEvents(world, 700)
    const events = typed(await journalOf(api, environments.test), 'tag.updated')
    await halfway(world, endpoint, events[99]!, events.at(-1)!)
    await appendEvents(world, 10)
    await goOn(test, hour + 60)
    const expected = events.slice(100).map(({ id }) => id)
    assert.deepEqual([...(await rowsOf(world, endpoint)).keys()], expected)
    assert.deepEqual(await left(world), [0, 0])
  })

  test('a recovery ends when its endpoint is deleted', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'] })
    await appendEvents(world, 10)
    await halfway(world, endpoint, (await journalOf(api, environments.test))[0]!)
    succeeded(await test.delete(`/v1/webhook_endpoints/${endpoint.id}`))
    assert.deepEqual(await left(world), [0, 1])
    await goOn(test, hour + 60)
    assert.deepEqual(await left(world), [0, 0])
    assert.equal((await rowsOf(world, endpoint)).size, 0)
  })

  test('events that the feed has dropped are not recovered, even during a recovery', async () => {
    const world = await api.world()
    const { test, environments } = world
    const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'], status: 'paused' })
    await appendEvents(world, 100)
    const events = typed(await journalOf(api, environments.test), 'tag.updated')
    const ids = (from: number, to?: number) => events.slice(from, to).map(({ id }) => id)
    const { tenantId } = environments.test
    const sinkTo = ({ epoch, position, ordinal }: JournalEvent) =>
      api.db.write(sql`insert into journal_floors (tenant_id, epoch, position, ordinal)
        values (${tenantId}, ${epoch}, ${position}::text::xid8, ${ordinal})
        on conflict (tenant_id) do update set position = excluded.position, ordinal = excluded.ordinal`)
    await sinkTo(events[9]!)
    assert.equal(await recover(test, endpoint), 90)
    assert.deepEqual([...(await rowsOf(world, endpoint)).keys()], ids(10))
    await api.db.write(sql`delete from webhook_deliveries where tenant_id = ${tenantId}`)
    await halfway(world, endpoint, events[49]!, events.at(-1)!)
    await sinkTo(events[79]!)
    await goOn(test, hour + 60)
    assert.deepEqual([...(await rowsOf(world, endpoint)).keys()], ids(80))
  })
})

test('excludes events committed after the request', async () => {
  const world = await api.world()
  const { test, environments } = world
  const endpoint = await webhookEndpoint(test, { enabled_events: ['tag.updated'], status: 'paused' })
  await appendEvents(world, 600)
  await recover(test, endpoint)
  await appendEvents(world, 1)
  await goOn(test)
  const events = typed(await journalOf(api, environments.test), 'tag.updated')
  assert.deepEqual(
    [...(await rowsOf(world, endpoint)).keys()],
    events.slice(0, -1).map(({ id }) => id),
  )
})

test('a replay returns the same response and starts no recovery', async () => {
  const world = await api.world()
  const { test, environments } = world
  const endpoint = await webhookEndpoint(test, { enabled_events: ['conversation.created'] })
  await conversation(test)
  const key = { 'idempotency-key': randomUUID() }
  const first = await ask(test, endpoint, longAgo, key)
  assert.equal(first.body.events, 1)
  await api.db.write(sql`delete from webhook_deliveries where tenant_id = ${environments.test.tenantId}`)
  const second = await ask(test, endpoint, longAgo, key)
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await rowsOf(world, endpoint)).size, 0)
})
