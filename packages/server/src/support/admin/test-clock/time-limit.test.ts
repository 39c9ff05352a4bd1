import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

// No time at all: a request runs one batch, the minimum, and stops.
const api = service({ advanceWithinMs: 0 })
const day = 24 * 3600

const advance = (client: Client, body: object, headers = {}) =>
  client.post('/v1/test_clock/advance', body, headers)

/** A test environment with `count` conversations to be closed, one minute apart. */
async function withClosings(count: number) {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const { id } = await conversation(client)
  await act(client, id, 'resolve')
  await api.db.write(sql`with made as (insert into conversations
      select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'resolved_at', now() - interval '8 days'))).*
        from conversations c, generate_series(1, ${count}::integer)
        where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)} returning id)
    insert into due_work (tenant_id, duty, subject_id, due_at)
      select ${tenantId}, 'auto_close', id, now() + make_interval(mins => (row_number() over ())::integer) from made`)
  /** The number of closed conversations, and of those that were due by a time and are open. */
  const progress = async (until: string) => {
    const [row] = await api.db.rows<{ closed: number; late: number }>(sql`select
        (select count(*) from conversations where tenant_id = ${tenantId} and status = 'closed') as closed,
        (select count(*) from due_work where tenant_id = ${tenantId} and due_at < ${until}) as late`)
    return row!
  }
  return { client, tenantId, progress }
}

test('an advance that has too much to do says how far it came, and goes on from there until it arrives', async () => {
  const { client, progress } = await withClosings(250)
  const answers = [succeeded(await advance(client, { seconds: day }))]
  for (let last = answers[0]!; last.remaining_seconds > 0; last = answers.at(-1)!) {
    const { offset_seconds, now } = (await client.get('/v1/test_clock')).body
    assert.equal(offset_seconds, last.offset_seconds, 'the clock is where it says')
    assert.ok(now >= last.now && offset_seconds < day)
    assert.ok(answers.length < 10)
    answers.push(succeeded(await advance(client, { seconds: last.remaining_seconds })))
  }
  assert.deepEqual(
    answers.map(({ events_emitted }) => events_emitted),
    [100, 100, 50],
  )
  const { offset_seconds } = answers.at(-1)!
  assert.ok(offset_seconds >= day && offset_seconds <= day + 2, 'it goes on by whole seconds')
  assert.deepEqual(await progress(answers.at(-1)!.now), { closed: 250, late: 0 })
})

test('what was due before the moment that it came to is done, and nothing else', async () => {
  const { client, progress } = await withClosings(150)
  const { now, remaining_seconds } = succeeded(await advance(client, { seconds: day }))
  assert.ok(remaining_seconds > 0)
  assert.deepEqual(await progress(now), { closed: 100, late: 0 })
})

test('its answer is what a replay gives, which moves nothing', async () => {
  const { client, progress } = await withClosings(250)
  const headers = { 'idempotency-key': 'partly' }
  const first = await advance(client, { seconds: day }, headers)
  const again = await advance(client, { seconds: day }, headers)
  assert.deepEqual([again.status, again.text], [200, first.text])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const { offset_seconds, now } = (await client.get('/v1/test_clock')).body
  assert.equal(offset_seconds, first.body.offset_seconds)
  assert.equal((await progress(now)).closed, 100)
})

test('one that was interrupted goes no farther than it was to go, and may stop on the way as well', async () => {
  const { client, tenantId } = await withClosings(250)
  const key = 'interrupted'
  // The state after a request that was killed after its first batch: its target, and the clock in between.
  await api.db.write(sql`insert into test_clock_advances (tenant_id, idempotency_key, target_offset_ms)
    values (${tenantId}, ${key}, ${day * 1000})`)
  const before = succeeded(await advance(client, { seconds: 3600 }))
  const retry = succeeded(await advance(client, { seconds: day }, { 'idempotency-key': key }))
  assert.ok(retry.remaining_seconds > 0 && retry.offset_seconds > before.offset_seconds)
  assert.ok([day - 1, day].includes(retry.offset_seconds + retry.remaining_seconds))
  const last = succeeded(await advance(client, { seconds: retry.remaining_seconds }))
  assert.equal(last.remaining_seconds, 0)
  assert.deepEqual(
    await api.db.rows(sql`select 1 from test_clock_advances where tenant_id = ${tenantId}`),
    [],
    'nothing is left of it',
  )
})
