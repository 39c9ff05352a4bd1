import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { dueRows } from '../../../platform/unit-of-work/due.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { statusJobs } from './status.ts'

const api = service()

const later = (seconds: number) => new Date(api.now() + seconds * 1000).toISOString()

async function operator(client: Client): Promise<string> {
  const { body } = await client.post('/v1/operators', { name: 'Ada', email: 'ada@example.com', capacity: 3 })
  return `/v1/operators/${body.id}`
}

const events = ({ environments }: World) =>
  api.db.rows<{ type: string }>(sql`select type from events
    where tenant_id = ${environments.test.tenantId} and resource_type = 'operator' order by epoch, events.position, ordinal`)

/** Runs due jobs like the server in the background. */
async function doDueWork({ environments }: World): Promise<void> {
  const ctx = api.context(environments.test)
  for (const row of await dueRows(api.db, ctx.env.tenantId, ctx.now(), ctx.now(), 100)) {
    const job = statusJobs.find(({ name }) => name === row.job)!
    await transact(ctx, (change, draft) => {
      draft.completes(row)
      return job.perform(change, row.subjectId, row.dueAt)
    })
  }
}

const appointments = ({ environments }: World) =>
  api.db.rows(sql`select 1 from due_work where tenant_id = ${environments.test.tenantId}`)

test('a status is replaced as a whole, and its ETag is the version of the operator', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  const until = later(3600)
  const first = await test.put(`${path}/status`, { status: 'away', reason: 'Lunch', until, then: 'busy' })
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('etag'), '"2"')
  assert.partialDeepStrictEqual(first.body, {
    object: 'operator_status',
    operator_id: path.split('/').at(-1),
    status: 'away',
    reason: 'Lunch',
    until,
    then: 'busy',
    open_conversations: 0,
    capacity: 3,
  })
  const second = await test.put(`${path}/status`, { status: 'online' }, { 'if-match': '"2"' })
  assert.partialDeepStrictEqual(second.body, { status: 'online', reason: null, until: null, then: null })
  const got = await test.get(`${path}/status`)
  assert.deepEqual([got.text, got.headers.get('etag')], [second.text, '"3"'])
  assert.equal((await test.put(`${path}/status`, { status: 'busy' }, { 'if-match': '"2"' })).status, 412)
  assert.partialDeepStrictEqual((await test.get(path)).body, { status: 'online', version: 3 })
})

test('what is read can be put back; a status that is so already makes no event', async () => {
  const world = await api.world()
  const path = await operator(world.test)
  await world.test.put(`${path}/status`, { status: 'away', until: later(60) })
  const { body } = await world.test.get(`${path}/status`)
  assert.equal(body.then, 'online')
  const { status, reason, until, then } = body
  const again = await world.test.put(`${path}/status`, { status, reason, until, then })
  assert.deepEqual([again.status, again.headers.get('etag'), again.body], [200, '"2"', body])
  assert.deepEqual(
    (await events(world)).map(({ type }) => type),
    ['operator.created', 'operator.status_changed'],
  )
})

test('a status goes on when only its end changes', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  const first = await test.put(`${path}/status`, { status: 'busy', reason: 'Call' })
  api.advance(5)
  const longer = await test.put(`${path}/status`, { status: 'busy', reason: 'Call', until: later(60) })
  assert.equal(longer.body.since, first.body.since)
  assert.equal(longer.headers.get('etag'), '"3"')
  const other = await test.put(`${path}/status`, { status: 'busy', reason: 'Training' })
  assert.notEqual(other.body.since, first.body.since)
  assert.equal((await test.get(`${path}/status_history`)).body.data.length, 3)
})

test('422 for an end in the past, and for what follows without an end', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  const past = await test.put(`${path}/status`, { status: 'away', until: later(-1) })
  assert.equal(past.status, 422)
  assert.partialDeepStrictEqual(past.body.errors, [{ pointer: '/until', code: 'too_small' }])
  const loose = await test.put(`${path}/status`, { status: 'away', then: 'busy' })
  assert.equal(loose.status, 422)
  assert.partialDeepStrictEqual(loose.body.errors, [{ pointer: '/then', code: 'not_allowed' }])
})

test('a heartbeat brings a new operator online, and makes no event while it is there', async () => {
  const world = await api.world()
  const path = await operator(world.test)
  const first = await world.test.post(`${path}/heartbeat`, { ttl_seconds: 30 })
  assert.deepEqual([first.status, first.body.status, first.headers.get('etag')], [200, 'online', '"2"'])
  await world.test.put(`${path}/status`, { status: 'busy' })
  const second = await world.test.post(`${path}/heartbeat`)
  assert.deepEqual([second.body.status, second.headers.get('etag')], ['busy', '"3"'])
  assert.deepEqual(
    (await events(world)).map(({ type }) => type),
    ['operator.created', 'operator.status_changed', 'operator.status_changed'],
  )
  assert.equal((await appointments(world)).length, 1)
})

test('who was set offline stays so, whatever heartbeats say', async () => {
  const world = await api.world()
  const path = await operator(world.test)
  await world.test.post(`${path}/heartbeat`)
  await world.test.put(`${path}/status`, { status: 'offline' })
  assert.equal((await appointments(world)).length, 0)
  const { body, headers } = await world.test.post(`${path}/heartbeat`)
  assert.deepEqual([body.status, headers.get('etag')], ['offline', '"3"'])
  assert.equal((await appointments(world)).length, 0)
})

describe('when their time comes', () => {
  test('an operator without another heartbeat goes offline, and the next one brings it back', async () => {
    const world = await api.world()
    const path = await operator(world.test)
    await world.test.put(`${path}/status`, { status: 'away', reason: 'Lunch', until: later(3600) })
    await world.test.post(`${path}/heartbeat`, { ttl_seconds: 30 })
    api.advance(20)
    await world.test.post(`${path}/heartbeat`, { ttl_seconds: 30 })
    api.advance(20)
    await doDueWork(world)
    assert.equal((await world.test.get(`${path}/status`)).body.status, 'away')
    api.advance(20)
    await doDueWork(world)
    assert.partialDeepStrictEqual((await world.test.get(`${path}/status`)).body, {
      status: 'offline',
      reason: 'No heartbeat',
      until: null,
      then: null,
    })
    assert.equal((await appointments(world)).length, 0, 'the end of the former status is cancelled')
    const back = await world.test.post(`${path}/heartbeat`)
    assert.partialDeepStrictEqual(back.body, { status: 'online', reason: null })
  })

  test('a status ends, and another one follows', async () => {
    const world = await api.world()
    const path = await operator(world.test)
    await world.test.put(`${path}/status`, { status: 'busy', reason: 'Call', until: later(60), then: 'away' })
    api.advance(61)
    await doDueWork(world)
    assert.partialDeepStrictEqual((await world.test.get(`${path}/status`)).body, {
      status: 'away',
      reason: null,
      until: null,
      then: null,
    })
    assert.equal((await events(world)).at(-1)!.type, 'operator.status_changed')
    assert.equal((await appointments(world)).length, 0)
  })

  test('a status that was set meanwhile has no end of the former one', async () => {
    const world = await api.world()
    const path = await operator(world.test)
    await world.test.put(`${path}/status`, { status: 'busy', until: later(60) })
    await world.test.put(`${path}/status`, { status: 'away', until: later(120) })
    api.advance(61)
    await doDueWork(world)
    assert.equal((await world.test.get(`${path}/status`)).body.status, 'away')
    await world.test.put(`${path}/status`, { status: 'away' })
    assert.equal((await appointments(world)).length, 0)
  })

  test('offline that was chosen for afterwards is a decision as well', async () => {
    const world = await api.world()
    const path = await operator(world.test)
    await world.test.put(`${path}/status`, { status: 'online', until: later(60), then: 'offline' })
    await world.test.post(`${path}/heartbeat`, { ttl_seconds: 3600 })
    api.advance(61)
    await doDueWork(world)
    assert.equal((await world.test.post(`${path}/heartbeat`)).body.status, 'offline')
    assert.equal((await appointments(world)).length, 0)
  })
})

test('the history has neither gap nor overlap, however many write at once', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  const statuses = ['online', 'away', 'busy', 'offline']
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      test.put(`${path}/status`, { status: statuses[i % 4], reason: `r${i}` }),
    ),
  )
  const { body: created } = await test.get(path)
  const { body } = await test.get(`${path}/status_history?sort=from&limit=100`)
  const periods: { from: string; to: string | null; status: string }[] = body.data
  assert.equal(periods[0]!.from, created.created_at)
  for (const [i, period] of periods.entries()) assert.equal(period.to, periods[i + 1]?.from ?? null)
  for (const { from, to } of periods) assert.ok(to === null || from < to)
  assert.equal(periods.at(-1)!.status, created.status)
  const walked = []
  for (let cursor = ''; ; ) {
    const { body: page } = await test.get(`${path}/status_history?limit=2${cursor}`)
    walked.push(...page.data)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(walked, periods.toReversed())
})

test('a summary adds up to the whole time, and is cut to the time in which the operator was there', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  for (const [status, seconds] of Object.entries({ online: 100.4, away: 50.4, busy: 10.4 })) {
    await test.put(`${path}/status`, { status })
    api.advance(seconds)
  }
  await test.put(`${path}/status`, { status: 'offline' })
  const wide = `from=2001-01-01T00:00:00Z&to=${later(86_400)}`
  const { body } = await test.get(`${path}/status_summary?${wide}`)
  const { body: history } = await test.get(`${path}/status_history?sort=from`)
  assert.equal(body.from, history.data[0].from)
  const whole = Math.round((Date.parse(body.to) - Date.parse(body.from)) / 1000)
  const seconds: Record<string, number> = body.seconds
  assert.equal(
    Object.values(seconds).reduce((sum, each) => sum + each, 0),
    whole,
  )
  for (const { status, from, to } of history.data.slice(1, 4)) {
    const exactly = (Date.parse(to) - Date.parse(from)) / 1000
    assert.ok(Math.abs(seconds[status]! - exactly) < 1, `${status}: ${seconds[status]} of ${exactly}`)
    const { body: part } = await test.get(`${path}/status_summary?from=${from}&to=${to}`)
    assert.deepEqual(part.seconds, { online: 0, away: 0, busy: 0, offline: 0, [status]: Math.round(exactly) })
  }
})

test('a window outside of the time in which the operator was there is empty', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  for (const window of [
    'from=2001-01-01T00:00:00Z&to=2002-01-01T00:00:00Z',
    'to=2002-01-01T00:00:00Z',
    `from=${later(60)}&to=${later(120)}`,
  ]) {
    const { status, body } = await test.get(`${path}/status_summary?${window}`)
    assert.equal(status, 200, window)
    assert.equal(body.from, body.to)
    assert.deepEqual(body.seconds, { online: 0, away: 0, busy: 0, offline: 0 })
  }
})

test('400 for a window that ends before it begins', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  for (const window of ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', `from=${later(60)}`]) {
    const { status, body } = await test.get(`${path}/status_summary?${window}`)
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(body.errors, [{ parameter: 'from' }])
  }
})

test('who is there now is listed by status and department', async () => {
  const { test } = await api.world()
  const path = await operator(test)
  const id = path.split('/').at(-1)!
  const { body: other } = await test.post('/v1/operators', { name: 'Bob', email: 'bob@example.com' })
  const { body: department } = await test.post('/v1/departments', { name: 'Billing' })
  await test.put(`/v1/departments/${department.id}/operators/${id}`)
  await test.put(`${path}/status`, { status: 'away', reason: 'Lunch' })
  const listed = async (query: string) =>
    (await test.get(`/v1/operator_statuses?${query}`)).body.data.map(
      (each: { operator_id: string }) => each.operator_id,
    )
  assert.deepEqual(await listed(''), [id, other.id])
  assert.deepEqual(await listed('sort=-created_at'), [other.id, id])
  assert.deepEqual(await listed('status=away'), [id])
  assert.deepEqual(await listed(`department_id=${department.id}`), [id])
  assert.deepEqual(await listed('department_id=dept_00000000000000000000000000'), [])
  const { body } = await test.get('/v1/operator_statuses?status=away')
  assert.partialDeepStrictEqual(body.data[0], { reason: 'Lunch', until: null, capacity: 3 })
})
