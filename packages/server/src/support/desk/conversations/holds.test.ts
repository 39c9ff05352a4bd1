import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, holdReason, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'

const api = service()
const hour = 3600

const hold = (client: Client, id: string, body: object): Promise<Answer> =>
  client.post(`/v1/conversations/${id}/hold`, body)

const held = async (client: Client, fields: object = {}, body: object = {}): Promise<Body> => {
  const { id } = await conversation(client)
  return succeeded(await hold(client, id, { hold_reason_id: await holdReason(client, fields), ...body }))
}

const periodsOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/conversations/${id}/holds`)).data

const plus = (instant: string, seconds: number) =>
  new Date(Date.parse(instant) + seconds * 1000).toISOString()
const fromNow = (seconds: number) => new Date(api.now() + seconds * 1000).toISOString()

const advance = async (client: Client, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

function assertRefused({ status, body, text }: Answer, pointer: string, code: string): void {
  assert.equal(status, 422, text)
  assert.partialDeepStrictEqual(body.errors, [{ pointer, code }])
  assert.equal(body.errors.length, 1, text)
}

describe('a hold', () => {
  test('shows its reason, its note and its time, and whom it waits for', async () => {
    const { test } = await api.world()
    const until = fromNow(hour)
    const { id, ...body } = await held(test, { waiting_on: 'operator' }, { note: 'The bank', until })
    assert.partialDeepStrictEqual(body, { status: 'on_hold', waiting_on: 'operator' })
    assert.deepEqual(
      { ...body.hold, hold_reason_id: '' },
      { hold_reason_id: '', note: 'The bank', since: body.updated_at, until },
    )
    const period = { ...body.hold, ended_at: null, ended_by: null }
    assert.deepEqual(await periodsOf(test, id), [period])
  })

  test('lasts as long as it says, else by default, else as long as it may, else without an end', async () => {
    const { test } = await api.world()
    const asked = fromNow(hour / 2)
    for (const [fields, until, seconds] of [
      [{ default_duration_seconds: hour, max_duration_seconds: 2 * hour }, asked, null],
      [{ default_duration_seconds: hour, max_duration_seconds: 2 * hour }, undefined, hour],
      [{ max_duration_seconds: 2 * hour }, undefined, 2 * hour],
      [{}, undefined, null],
      [{ default_duration_seconds: hour }, null, hour],
    ] as const) {
      const body = await held(test, fields, until === undefined ? {} : { until })
      assert.equal(body.hold.until, until ?? (seconds && plus(body.hold.since, seconds)))
    }
  })

  test('422 for an end that has passed or is too far, a note that is missing, a reason that is none', async () => {
    const { test, live } = await api.world()
    const { id } = await conversation(test)
    const strict = await holdReason(test, { max_duration_seconds: hour, requires_note: true })
    const note = 'Why'
    assertRefused(await hold(test, id, { hold_reason_id: strict }), '/note', 'required')
    assertRefused(
      await hold(test, id, { hold_reason_id: strict, note, until: fromNow(hour + 60) }),
      '/until',
      'too_large',
    )
    assertRefused(
      await hold(test, id, { hold_reason_id: strict, note, until: fromNow(-1) }),
      '/until',
      'too_small',
    )
    assertRefused(await hold(test, id, { note }), '/hold_reason_id', 'required')
    const foreign = await holdReason(live)
    assertRefused(await hold(test, id, { hold_reason_id: foreign }), '/hold_reason_id', 'not_found')
    succeeded(await test.patch(`/v1/hold_reasons/${strict}`, { archived: true }))
    assertRefused(await hold(test, id, { hold_reason_id: strict, note }), '/hold_reason_id', 'not_allowed')
    assert.deepEqual(await periodsOf(test, id), [])
    assert.equal((await shown(test, id)).version, 1)
  })

  test('takes the place of another one, whose period ends when it begins', async () => {
    const { test } = await api.world()
    const first = await held(test, { default_duration_seconds: hour })
    const again = await act(test, first.id, 'hold', { hold_reason_id: await holdReason(test) })
    const periods = await periodsOf(test, first.id)
    assert.partialDeepStrictEqual(periods, [
      { since: first.hold.since, ended_at: again.hold.since, ended_by: 'action' },
      { since: again.hold.since, until: null, ended_at: null, ended_by: null },
    ])
    await advance(test, 2 * hour)
    assert.equal((await shown(test, first.id)).status, 'on_hold', 'the first one no longer expires')
  })

  test('keeps its reason from being deleted, also when it is over', async () => {
    const { test } = await api.world()
    const { id, hold } = await held(test)
    await act(test, id, 'resume')
    const { status, body } = await test.delete(`/v1/hold_reasons/${hold.hold_reason_id}`)
    assert.deepEqual([status, body.code, body.params], [409, 'resource_in_use', { hint: 'archive' }])
  })

  test('counts the time that somebody waited once', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { waiting_since } = await shown(test, id)
    const hold_reason_id = await holdReason(test, { waiting_on: 'operator' })
    assert.equal((await act(test, id, 'hold', { hold_reason_id })).waiting_since, waiting_since)
  })
})

describe('whatever ends a hold ends its period', () => {
  const resolving = { author_side: 'operator', body: 'Done', set_status: 'resolved' }
  const ways: [string, string, string, (client: Client, id: string) => Promise<unknown>][] = [
    ['resume', 'open', 'action', (client, id) => act(client, id, 'resume')],
    ['resolve', 'resolved', 'action', (client, id) => act(client, id, 'resolve', { note: 'Done' })],
    ['close', 'closed', 'action', (client, id) => act(client, id, 'close')],
    [
      'merge',
      'closed',
      'action',
      async (client, id) => act(client, id, 'merge', { into_id: (await conversation(client)).id }),
    ],
    ["the end user's message", 'open', 'reply', (client, id) => say(client, id, 'end_user')],
    [
      "an operator's message that resolves",
      'resolved',
      'reply',
      async (client, id) => succeeded(await client.post(`/v1/conversations/${id}/messages`, resolving)),
    ],
    ['its time', 'open', 'expiry', (client) => advance(client, 2 * hour)],
  ]
  for (const [name, status, ended_by, leave] of ways) {
    test(name, async () => {
      const { test } = await api.world()
      const { id } = await held(test, { default_duration_seconds: hour })
      await leave(test, id)
      const left = await shown(test, id)
      assert.partialDeepStrictEqual(left, { status, hold: null })
      const [period, ...more] = await periodsOf(test, id)
      assert.equal(period.ended_by, ended_by)
      assert.equal(period.ended_at, ended_by === 'expiry' ? period.until : left.updated_at)
      assert.deepEqual(more, [])
      await advance(test, hour)
      assert.equal((await shown(test, id)).version, left.version, 'it does not expire later')
    })
  }

  test('its time resolves it, or does nothing, as the reason says', async () => {
    const { test } = await api.world()
    const fields = { default_duration_seconds: hour }
    const resolved = await held(test, { ...fields, on_expiry: 'resolve' })
    const stays = await held(test, { ...fields, on_expiry: 'none' })
    await advance(test, 2 * hour)
    assert.partialDeepStrictEqual(await shown(test, resolved.id), {
      status: 'resolved',
      resolved_at: resolved.hold.until,
    })
    assert.partialDeepStrictEqual(await shown(test, stays.id), { status: 'on_hold', hold: stays.hold })
    assert.partialDeepStrictEqual(await periodsOf(test, stays.id), [{ ended_at: null, ended_by: null }])
  })

  test("not a message that the reason says does not, a note, the system's message or an assignment", async () => {
    const { test } = await api.world()
    const { id } = await held(test, { resumes_on_reply: false })
    await say(test, id, 'end_user')
    await say(test, id, 'operator')
    await say(test, id, 'operator', { visibility: 'internal' })
    await say(test, id, 'system')
    const { status, hold } = await shown(test, id)
    assert.equal(status, 'on_hold')
    assert.partialDeepStrictEqual(await periodsOf(test, id), [{ since: hold.since, ended_at: null }])
  })

  test('each of many stays is a period, and pages of them have each once', async () => {
    const { test } = await api.world()
    const { id, hold: first } = await held(test)
    for (let i = 0; i < 6; i++) {
      await act(test, id, 'resume')
      await act(test, id, 'hold', { hold_reason_id: first.hold_reason_id, note: `${i}` })
    }
    const all = await periodsOf(test, id)
    assert.deepEqual(
      all.map(({ note }) => note),
      [null, '0', '1', '2', '3', '4', '5'],
    )
    const paged: Body[] = []
    for (let cursor = ''; cursor !== null; ) {
      const page = succeeded(
        await test.get(`/v1/conversations/${id}/holds?limit=3${cursor && `&cursor=${cursor}`}`),
      )
      paged.push(...page.data)
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, all)
  })
})
