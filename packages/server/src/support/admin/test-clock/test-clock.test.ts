import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  say,
  setStatus,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, clientOf, service, type World } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
const hour = 3600
const day = 24 * hour

const advance = (client: Client, body: object, headers = {}) =>
  client.post('/v1/test_clock/advance', body, headers)
const advanced = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await advance(client, { seconds }))
const now = async (client: Client): Promise<string> => (await client.get('/v1/test_clock')).body.now

const plus = (instant: string, seconds: number) =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()

const eventsOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/timeline?limit=100`)).data

/** The events of a conversation: the last word of each, and its time relative to `from`. */
const storyOf = async (client: Client, id: string, from: string) =>
  (await eventsOf(client, id)).map(({ type, created_at }) => [
    type,
    (Date.parse(created_at) - Date.parse(from)) / 1000,
  ])

describe('the clock', () => {
  test('is there in test environments only', async () => {
    const { test, live } = await api.world()
    assert.equal((await test.get('/v1/test_clock')).status, 200)
    assert.equal((await live.get('/v1/test_clock')).status, 404)
    for (const body of [{ seconds: 1 }, { to: '2099-01-01T00:00:00Z' }])
      assert.equal((await advance(live, body)).status, 404)
  })

  test('goes on from where it was set to, for everything in its environment and for nothing else', async () => {
    const world = await api.world()
    const { test, live } = world
    const before = await now(test)
    const { body } = await advance(test, { seconds: 30 * day })
    assert.partialDeepStrictEqual(body, {
      object: 'test_clock',
      offset_seconds: 30 * day,
      events_emitted: 0,
    })
    assert.ok(body.now >= plus(before, 30 * day))
    const made = await conversation(test)
    assert.ok(made.created_at >= body.now)
    const [event] = await eventsOf(test, made.id)
    assert.equal(event.created_at, made.created_at)
    assert.ok((await conversation(live)).created_at < plus(before, day))
    assert.ok((await now((await api.world()).test)) < plus(before, day))
  })

  test('goes to a moment as well, and back to none', async () => {
    const { test } = await api.world()
    const to = plus(await now(test), 5 * day)
    const { body } = await advance(test, { to })
    assert.ok(body.now >= to && body.now < plus(to, 60), body.now)
    assert.ok([5 * day - 1, 5 * day].includes(body.offset_seconds), String(body.offset_seconds))
    for (const [wrong, pointer, code] of [
      [{ to: plus(to, -1) }, '/to', 'too_small'],
      [{ to: plus(to, 11 * 365 * day) }, '/to', 'too_large'],
      [{ to: plus(to, day), seconds: 1 }, '/to', 'not_allowed'],
      [{}, '/seconds', 'required'],
      [{ seconds: 0 }, '/seconds', 'too_small'],
      [{ seconds: -1 }, '/seconds', 'too_small'],
    ] as const) {
      const answer = await advance(test, wrong)
      assert.equal(answer.status, 422, answer.text)
      assert.partialDeepStrictEqual(answer.body.errors, [{ pointer, code }])
    }
    assert.ok((await now(test)) < plus(to, 60))
  })

  test('is advanced once by a request that is sent twice', async () => {
    const { test } = await api.world()
    const headers = { 'idempotency-key': 'once' }
    const first = await advance(test, { seconds: day }, headers)
    const again = await advance(test, { seconds: day }, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await test.get('/v1/test_clock')).body.offset_seconds, day)
    const other = await advance(test, { seconds: 2 * day }, headers)
    assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
    const atOnce = await Promise.all(
      Array.from({ length: 5 }, () => advance(test, { seconds: day }, { 'idempotency-key': 'twice' })),
    )
    for (const { status, text } of atOnce) assert.ok(status === 200 || status === 409, text)
    assert.equal((await test.get('/v1/test_clock')).body.offset_seconds, 2 * day)
  })

  test('goes as far as two who advance it at once say together', async () => {
    const { test } = await api.world()
    const answers = await Promise.all([1, 2, 3, 4].map((days) => advance(test, { seconds: days * day })))
    for (const answer of answers) succeeded(answer)
    assert.equal((await test.get('/v1/test_clock')).body.offset_seconds, 10 * day)
  })

  test('decides when a key has expired', async () => {
    const { test } = await api.world()
    const expires_at = plus(await now(test), day)
    const key = succeeded(await test.post('/v1/api_keys', { name: 'brief', scopes: ['*'], expires_at }))
    const brief = api.client(key.secret)
    assert.equal((await brief.get('/v1/tags')).status, 200)
    await advanced(test, day + 1)
    const { status, body } = await brief.get('/v1/tags')
    assert.deepEqual([status, body.code], [401, 'api_key_expired'])
  })
})

describe('what falls due on the way', () => {
  test('is done in order and stamped with its own time, also what follows from it', async () => {
    const { test } = await api.world()
    const member = await operator(test, { capacity: 1 }, 'away')
    const department_id = await department(test, [member])
    const hold_reason_id = await holdReason(test, { default_duration_seconds: hour })
    const { id } = await conversation(test, { department_id })
    const { hold } = await act(test, id, 'hold', { hold_reason_id })
    const until = plus(hold.since, 2 * hour)
    await setStatus(test, member, 'busy', { until, then: 'online' })
    const { events_emitted } = await advanced(test, 3 * hour)
    assert.equal(events_emitted, 3)
    assert.deepEqual((await storyOf(test, id, hold.since)).slice(2), [
      ['conversation.resumed', hour],
      ['conversation.assigned', 2 * hour],
    ])
    const { status, assignee_id, assignment, updated_at } = await shown(test, id)
    assert.deepEqual([status, assignee_id, assignment.at, updated_at], ['open', member, until, until])
    const [period] = (await test.get(`/v1/conversations/${id}/holds`)).body.data
    assert.partialDeepStrictEqual(period, { ended_at: plus(hold.since, hour), ended_by: 'expiry' })
  })

  test('is routed in the same breath when a hold expires', async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const hold_reason_id = await holdReason(test, { default_duration_seconds: hour })
    const { id } = await conversation(test)
    const { hold } = await act(test, id, 'hold', { hold_reason_id })
    await act(test, id, 'assign', { department_id: await department(test, [member]) })
    const { events_emitted } = await advanced(test, hour + 1)
    assert.equal(events_emitted, 2)
    assert.deepEqual((await storyOf(test, id, hold.since)).slice(-2).sort(), [
      ['conversation.assigned', hour],
      ['conversation.resumed', hour],
    ])
    assert.equal((await shown(test, id)).assignee_id, member)
  })

  test('is what an expiry resolved and its time closes', async () => {
    const { test } = await api.world()
    const fields = { default_duration_seconds: day, on_expiry: 'resolve' }
    const { id } = await conversation(test)
    const { hold } = await act(test, id, 'hold', { hold_reason_id: await holdReason(test, fields) })
    const { events_emitted } = await advanced(test, 30 * day)
    assert.equal(events_emitted, 2)
    assert.partialDeepStrictEqual(await shown(test, id), {
      status: 'closed',
      resolved_at: plus(hold.since, day),
      closed_at: plus(hold.since, 8 * day),
    })
  })

  test("is an operator's status and load, when both change at one moment", async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const hold_reason_id = await holdReason(test)
    const held = [
      await conversation(test, { assignee_id: member }),
      await conversation(test, { assignee_id: member }),
    ]
    const until = plus(await now(test), hour)
    for (const { id } of held) await act(test, id, 'hold', { hold_reason_id, until })
    await setStatus(test, member, 'busy', { until, then: 'away' })
    await advanced(test, 2 * hour)
    assert.partialDeepStrictEqual((await test.get(`/v1/operators/${member}`)).body, {
      status: 'away',
      open_conversations: 2,
    })
  })

  test('is a follow-up each time that the hold has lasted so long, as often as the reason says', async () => {
    const { test } = await api.world()
    const template = { name: 'Soon', body: 'We are on it, {{ end_user.external_id }}.' }
    const { id: template_id } = succeeded(await test.post('/v1/message_templates', template))
    const follow_up = { every_seconds: hour, template_id, max_count: 3 }
    const hold_reason_id = await holdReason(test, { follow_up })
    const { id } = await conversation(test)
    const { hold } = await act(test, id, 'hold', { hold_reason_id })
    const { events_emitted } = await advanced(test, day)
    assert.equal(events_emitted, 3)
    const messages = async () => (await test.get(`/v1/conversations/${id}/messages`)).body.data
    assert.deepEqual(
      (await messages()).map(({ body, author_side, created_at }: Body) => [body, author_side, created_at]),
      [1, 2, 3].map((n) => ['We are on it, user_42.', 'system', plus(hold.since, n * hour)]),
    )
    assert.equal((await shown(test, id)).status, 'on_hold')

    await act(test, id, 'hold', { hold_reason_id })
    await advanced(test, hour + 60)
    assert.equal((await messages()).length, 4)
    await say(test, id, 'end_user')
    await advanced(test, day)
    assert.equal((await messages()).length, 5, 'none after the reply')
  })

  test('is nothing that was called off', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await act(test, id, 'resolve')
    await advanced(test, 6 * day)
    await act(test, id, 'reopen')
    await advanced(test, 6 * day)
    assert.equal((await shown(test, id)).status, 'open')
    await act(test, id, 'resolve')
    await advanced(test, 8 * day)
    assert.equal((await shown(test, id)).status, 'closed')
  })
})

test('thirty days over many conversations, several batches of work, end as they would have one by one', async (t) => {
  const world = await api.world()
  const { test } = world
  const members = [await operator(test), await operator(test, { capacity: 50 })]
  const department_id = await department(test, members)
  const reasons = [
    await holdReason(test, { default_duration_seconds: 2 * day }),
    await holdReason(test, { default_duration_seconds: 3 * day, on_expiry: 'resolve' }),
    await holdReason(test, { default_duration_seconds: 4 * day, on_expiry: 'none' }),
  ]
  const each = rounds(100, 40)
  const rest = Array.from({ length: 4 * each }, (_, i) => i)
  const work = async () => {
    for (let i = rest.shift(); i !== undefined; i = rest.shift()) {
      const made = await conversation(test, i % 4 === 0 ? {} : { department_id })
      if (i % 4 === 3) await act(test, made.id, 'resolve')
      else await act(test, made.id, 'hold', { hold_reason_id: reasons[i % 4] })
    }
  }
  await Promise.all(Array.from({ length: 16 }, work))
  const startedAt = performance.now()
  const { events_emitted } = await advanced(test, 30 * day)
  t.diagnostic(`advanced 30 days in ${Math.round(performance.now() - startedAt)} ms`)
  assert.equal(events_emitted, each + 2 * each + each)
  const counts = await api.db.rows(sql`select status, count(*) from conversations
    where tenant_id = ${world.environments.test.tenantId} group by status order by status`)
  assert.deepEqual(counts, [
    { status: 'closed', count: 2 * each },
    { status: 'on_hold', count: each },
    { status: 'open', count: each },
  ])
  await assertStamped(world)
})

/** Each expired period ended exactly at its time, and conversations closed a week after they were resolved. */
async function assertStamped({ environments }: World): Promise<void> {
  const { tenantId } = environments.test
  const wrong = await api.db.rows(sql`select id from conversation_holds
      where tenant_id = ${tenantId} and ended_by = 'expiry' and ended_at <> until
    union all select id from conversations
      where tenant_id = ${tenantId} and closed_at <> resolved_at + interval '7 days'
    union all select resource_id from (select resource_id, created_at,
        lag(created_at) over (order by epoch, position, ordinal) as former from events
        where tenant_id = ${tenantId} and actor_type = 'system') e where created_at < former`)
  assert.deepEqual(wrong, [])
}

describe('two servers', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('advance one clock as far as they say together, and do everything once', async () => {
    const { test } = await api.world()
    const other = clientOf(otherUrl, test.key)
    const hold_reason_id = await holdReason(test, { default_duration_seconds: day })
    const held = await Promise.all(Array.from({ length: 20 }, () => conversation(test)))
    for (const { id } of held) await act(test, id, 'hold', { hold_reason_id })
    const answers = await Promise.all(
      [1, 2, 3, 4].map((days, i) => advance([test, other][i % 2]!, { seconds: days * day })),
    )
    const emitted = answers.map((answer) => succeeded(answer).events_emitted)
    assert.equal((await test.get('/v1/test_clock')).body.offset_seconds, 10 * day)
    assert.equal(
      emitted.reduce((sum, count) => sum + count),
      20,
    )
    for (const { id } of held) assert.equal((await eventsOf(test, id)).length, 3)
  })
})
