import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  act,
  type Body,
  conversation,
  holdReason,
  operators,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Answer, type Client, type Service, service, type World } from '@backline/test/harness.ts'
import { toInstant } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import { FailedStatement } from '../postgres/errors.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { scheduleDue } from './due.ts'
import { Footprint } from './footprint.ts'
import { groupCommitter } from './group-commit.ts'

const api = service()
const own = service({})

const create = (client: Client, fields: object = {}, key?: string): Promise<Answer> =>
  client.post(
    '/v1/conversations',
    { external_user_id: 'user_42', ...fields },
    key === undefined ? {} : { 'idempotency-key': key },
  )

const all = <Item>(count: number, make: (i: number) => Promise<Item>): Promise<Item[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

/** Counts the events of a type and the transactions that wrote them. */
async function eventsOf({ environments }: World, type: string): Promise<{ events: number; commits: number }> {
  const [row] = await api.db.rows<{ events: number; commits: number }>(
    sql`select count(*) as events, count(distinct xmin::text) as commits from events
      where tenant_id = ${environments.test.tenantId} and type = ${type}`,
  )
  return row!
}

const statuses = (answers: Answer[]): Record<string, number> =>
  Object.fromEntries(
    Map.groupBy(answers, ({ status }) => status)
      .entries()
      .map(([status, of]) => [status, of.length]),
  )

describe('creates that come at the same time', () => {
  test('share commits, and each has its event and its own response', async () => {
    const world = await api.world()
    const answers = await all(200, (i) => create(world.test, { subject: `Number ${i}` }))
    assert.deepEqual(statuses(answers), { 201: 200 })
    assert.deepEqual(
      answers.map(({ body }) => body.subject),
      answers.map((_, i) => `Number ${i}`),
    )
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 200)
    const { events, commits } = await eventsOf(world, 'conversation.created')
    assert.equal(events, 200)
    assert.ok(commits < events, `${commits} commits`)
  })

  test('fail alone when they are at fault', async () => {
    const world = await api.world()
    const answers = await all(120, (i) => create(world.test, i % 3 === 0 ? { external_id: 'the-one' } : {}))
    assert.deepEqual(statuses(answers), { 201: 81, 409: 39 })
    assert.equal((await eventsOf(world, 'conversation.created')).events, 81)
  })

  test('under one key have one effect and one response', async () => {
    const world = await api.world()
    const answers = await all(60, (i) => create(world.test, {}, `key-${i % 20}`))
    assert.deepEqual(statuses(answers), { 201: 60 })
    assert.equal(new Set(answers.map(({ text }) => text)).size, 20)
    assert.equal((await eventsOf(world, 'conversation.created')).events, 20)
  })

  test('succeed beside replays of earlier responses', async () => {
    const world = await api.world()
    const stored = await all(30, (i) => create(world.test, {}, `stored-${i}`))
    const answers = await all(90, (i) =>
      i % 3 === 0 ? create(world.test, {}, `stored-${i / 3}`) : create(world.test),
    )
    assert.deepEqual(statuses(answers), { 201: 90 })
    answers.forEach(({ text, headers }, i) => {
      assert.equal(headers.get('idempotent-replayed'), i % 3 === 0 ? 'true' : 'false')
      if (i % 3 === 0) assert.equal(text, stored[i / 3]!.text)
    })
    assert.equal((await eventsOf(world, 'conversation.created')).events, 90)
  })

  test('of several environments do not mix', async () => {
    const [one, other] = [await api.world(), await api.world()]
    await all(60, (i) => create(i % 2 === 0 ? one.test : other.test))
    for (const { test } of [one, other]) {
      const { data } = succeeded(await test.get('/v1/conversations?limit=100'))
      assert.equal(data.length, 30)
    }
  })

  test('that are large do not share one statement', async () => {
    const world = await api.world()
    const body = 'x'.repeat(60_000)
    const answers = await all(40, () => create(world.test, { message: { body } }))
    assert.deepEqual(statuses(answers), { 201: 40 })
    const { commits } = await eventsOf(world, 'conversation.created')
    assert.ok(commits >= 3, `${commits} commits`)
  })
})

test('messages that come at the same time have sequences without a gap, in commit order', async () => {
  const world = await api.world()
  const conversations = await all(10, () => conversation(world.test))
  await all(200, (i) => say(world.test, conversations[i % 10]!.id, i % 3 === 0 ? 'operator' : 'end_user'))
  for (const { id } of conversations) {
    const { data } = succeeded(await world.test.get(`/v1/conversations/${id}/messages?limit=100`))
    assert.deepEqual(
      data.map(({ sequence }: Body) => sequence),
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  }
  const { data } = succeeded(await world.test.get('/v1/events?types=message.created&limit=100'))
  const last = new Map<string, number>()
  for (const { data: of } of data) {
    const { conversation_id: id, sequence } = of.object
    assert.equal(sequence, (last.get(id) ?? 0) + 1)
    last.set(id, sequence)
  }
  const { events, commits } = await eventsOf(world, 'message.created')
  assert.equal(events, 200)
  assert.ok(commits < events, `${commits} commits`)
})

test('conversations of one statement keep distant times to the millisecond', async () => {
  const { test } = await api.world()
  const until = '9999-12-31T23:59:59.999Z'
  const hold_reason_id = await holdReason(test)
  const conversations = await all(12, () => conversation(test))
  await all(12, (i) => act(test, conversations[i]!.id, 'hold', { hold_reason_id, until }))
  await all(12, (i) => say(test, conversations[i]!.id, 'operator'))
  for (const { id } of conversations) assert.equal((await shown(test, id)).hold.until, until)
})

test('changes of two servers that move the same operators lock them in one order: none deadlocks', async () => {
  const api = own
  const { test } = await api.world()
  const other = (await api.another()).client(test.key)
  const assignees = await operators(test, 12)
  const conversations = await all(24, () => conversation(test))
  const turns = Array.from({ length: 8 }, (_, turn) => turn)
  await Promise.all(
    conversations.map(async ({ id }, i) => {
      for (const turn of turns) {
        const assignee_id = assignees[(7 * i + 5 * turn * (i % 2 === 0 ? 1 : -1) + 480) % 12]!
        await act(i % 2 === 0 ? test : other, id, 'assign', { assignee_id })
      }
    }),
  )
  assert.equal(await deadlocks(api), 0)
})

/** PostgreSQL reports statistics a second late. */
async function deadlocks({ db }: Service): Promise<number> {
  await sleep(1_500)
  const [row] = await db.rows<{ deadlocks: number }>(
    sql`select deadlocks from pg_stat_database where datname = current_database()`,
  )
  return row!.deadlocks
}

test('a statement of several that fails undoes those before it, and those after it are not carried out', async () => {
  const world = await api.world()
  const { tenantId } = world.environments.test
  const [first, last] = [randomUUID(), randomUUID()]
  const schedule = (subjectId: string) =>
    scheduleDue(tenantId, [{ job: 'nothing', subjectId, dueAt: '2999-01-01T00:00:00.000Z' }])
  const failed = api.db.write(schedule(first), sql`select 1 / 0`, schedule(last))
  await assert.rejects(failed, (error) => error instanceof FailedStatement && error.place === 1)
  const written = async () =>
    (
      await api.db.rows<{ id: string }>(
        sql`select subject_id as id from due_work where tenant_id = ${tenantId} and subject_id = any(${[first, last]}::uuid[])`,
      )
    ).length
  assert.equal(await written(), 0)
  await api.db.write(schedule(first), sql`select 1`, schedule(last))
  assert.equal(await written(), 2)
})

test('a statement that takes too long fails alone: the changes that shared its transaction are written', async () => {
  const world = await api.world()
  const { tenantId } = world.environments.test
  const committer = groupCommitter(api.db)
  const origin = {
    now: toInstant(api.now()),
    actor: { type: 'system', id: null, operator_id: null },
    request: null,
  } as const
  const commit = (name: string, statement: Sql) => {
    const footprint = new Footprint()
    footprint.writes.add(name) // statements are in the order of these names
    const event = {
      id: newUuid(api.now()),
      type: `tag.${name}`,
      streamId: tenantId,
      resourceType: 'tag',
      resourceId: tenantId,
      resourceVersion: 1,
      object: '{}',
      previous: '{}',
      audited: null,
      related: null,
      origin,
    }
    const parts = [{ part: () => statement, item: null, mode: 'exact' as const }]
    return committer.commit([{ tenantId, parts, events: [event], key: null }], {
      footprint,
      byStatement: false,
    })
  }
  const outcomes = await Promise.allSettled([
    commit('a', sql`select set_config('statement_timeout', '1000', true)`),
    commit('b', sql`select 1 from pg_sleep(30)`),
    commit('c', sql`select 1`),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  const written = await api.db.rows<{ type: string }>(
    sql`select type from events where tenant_id = ${tenantId} and type in ('tag.a', 'tag.b', 'tag.c') order by type`,
  )
  assert.deepEqual(
    written.map(({ type }) => type),
    ['tag.a', 'tag.c'],
  )
})

test('a session ends a silent transaction, and counts on READ COMMITTED', async () => {
  const rows = await api.db.write(sql`select current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('default_transaction_isolation') as isolation`)
  assert.deepEqual(rows, [{ idle: '10s', isolation: 'read committed' }])
})
