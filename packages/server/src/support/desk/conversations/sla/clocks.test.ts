import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  holdReason,
  operator,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()
const hour = 3600

let made = 0
const config = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(
    await client.post('/v1/sla_configs', {
      name: `SLA ${++made}`,
      targets: [
        { first_response_seconds: hour, next_response_seconds: 2 * hour, resolution_seconds: 8 * hour },
      ],
      ...fields,
    }),
  )

const advance = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const slaOf = async (client: Client, id: string): Promise<Body> => (await shown(client, id)).sla

const change = async (client: Client, path: string, patch: object): Promise<Body> =>
  succeeded(await client.patch(path, patch))

const eventsOf = async (client: Client, id: string, types = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/events?limit=100&resource_id=${id}${types && `&types=${types}`}`)).data

const alarmsOf = (client: Client, id: string) =>
  eventsOf(client, id, 'conversation.sla_warning,conversation.sla_breached')

const statuses = (sla: Body) =>
  [sla.first_response, sla.next_response, sla.resolution].map((clock) => clock?.status ?? null)

/** Clocks also run while a test does: half a minute is left for that. */
const isAbout = (actual: number, expected: number) =>
  assert.ok(actual >= expected - 30 && actual <= expected + 30, `${actual}`)

describe('the clocks of a conversation', () => {
  test('are none where no config is for it', async () => {
    const { test } = await api.world()
    await config(test, { conditions: { priorities: ['urgent'] } })
    const { id, sla } = await conversation(test)
    assert.equal(sla, null)
    assert.deepEqual(succeeded(await test.get(`/v1/conversations/${id}/sla`)), {
      sla_config_id: null,
      sla_config_version: null,
      first_response: null,
      next_response: null,
      resolution: null,
    })
  })

  test('run from the creation until the answer and the solution, each within its target', async () => {
    const { test } = await api.world()
    const { id: sla_config_id } = await config(test)
    const begun = await conversation(test, { message: { body: 'My card was declined' } })
    const due = (seconds: number) => new Date(Date.parse(begun.created_at) + seconds * 1000).toISOString()
    const running = (target: number) => ({
      status: 'running',
      target_seconds: target,
      elapsed_seconds: 0,
      remaining_seconds: target,
      due_at: due(target),
      met_at: null,
      warned_at: null,
      breached_at: null,
    })
    assert.deepEqual(begun.sla, {
      sla_config_id,
      sla_config_version: 1,
      first_response: running(hour),
      next_response: null,
      resolution: running(8 * hour),
    })
    await advance(test, 600)
    const answer = await say(test, begun.id, 'operator')
    const answered = await slaOf(test, begun.id)
    assert.partialDeepStrictEqual(answered.first_response, { status: 'met', met_at: answer.created_at })
    assert.partialDeepStrictEqual(answered.resolution, { status: 'paused', due_at: null })
    isAbout(answered.first_response.elapsed_seconds, 600)
    assert.equal(answered.resolution.elapsed_seconds, answered.first_response.elapsed_seconds)
    await advance(test, 5 * hour)
    await say(test, begun.id, 'end_user')
    await advance(test, 300)
    await say(test, begun.id, 'end_user')
    const owing = await slaOf(test, begun.id)
    isAbout(owing.next_response.elapsed_seconds, 300)
    const resolved = await act(test, begun.id, 'resolve')
    assert.deepEqual(statuses(resolved.sla), ['met', 'cancelled', 'met'])
    isAbout(resolved.sla.resolution.elapsed_seconds, 900)
    await advance(test, hour)
    const reopened = await act(test, begun.id, 'reopen')
    assert.deepEqual(statuses(reopened.sla), ['met', 'cancelled', 'running'])
    isAbout(reopened.sla.resolution.elapsed_seconds, 900)
  })

  test('warn and are breached once each, at their time, with what they were before', async () => {
    const { test } = await api.world()
    await config(test, { targets: [{ first_response_seconds: hour }] })
    const { id } = await conversation(test)
    const { events_emitted } = await advance(test, 10 * hour)
    assert.equal(events_emitted, 2)
    const [warning, breach] = await alarmsOf(test, id)
    const due = warning!.data.object.sla.first_response.due_at
    assert.partialDeepStrictEqual(warning, {
      type: 'conversation.sla_warning',
      actor: { type: 'system' },
      data: {
        object: {
          sla: {
            first_response: {
              status: 'running',
              elapsed_seconds: 0.8 * hour,
              warned_at: warning!.created_at,
            },
          },
        },
        previous: { sla: { first_response: { status: 'running', warned_at: null } } },
      },
    })
    assert.partialDeepStrictEqual(breach, {
      type: 'conversation.sla_breached',
      created_at: due,
      data: {
        object: {
          sla: {
            first_response: { status: 'breached', due_at: due, breached_at: due, remaining_seconds: 0 },
          },
        },
        previous: { sla: { first_response: { status: 'running', breached_at: null } } },
      },
    })
    await say(test, id, 'operator')
    const { first_response: late } = await slaOf(test, id)
    assert.partialDeepStrictEqual(late, { status: 'breached', breached_at: due })
    assert.ok(late.met_at > due)
    isAbout(late.remaining_seconds, -9 * hour)
    await advance(test, 30 * 24 * hour)
    assert.equal((await alarmsOf(test, id)).length, 2)
  })

  test('that end before they are due warn of nothing and are not breached', async () => {
    const { test } = await api.world()
    await config(test)
    const answered = await conversation(test)
    await say(test, answered.id, 'operator', { set_status: 'resolved' })
    const closed = await conversation(test)
    assert.deepEqual(statuses((await act(test, closed.id, 'close')).sla), ['cancelled', null, 'cancelled'])
    assert.equal((await advance(test, 7 * 24 * hour - 60)).events_emitted, 0)
  })

  test('stand still on hold, unless its reason says otherwise', async () => {
    const { test } = await api.world()
    await config(test)
    const [pausing, other] = [await holdReason(test), await holdReason(test, { pauses_sla: false })]
    const { id } = await conversation(test)
    const held = await act(test, id, 'hold', { hold_reason_id: pausing })
    assert.deepEqual(statuses(held.sla), ['paused', null, 'paused'])
    assert.equal(held.sla.first_response.due_at, null)
    await advance(test, 100 * hour)
    const again = await act(test, id, 'hold', { hold_reason_id: other })
    assert.deepEqual(statuses(again.sla), ['running', null, 'running'])
    isAbout(again.sla.first_response.elapsed_seconds, 0)
    assert.equal((await advance(test, 2 * hour)).events_emitted, 2)
  })

  test('follow a merge: those that ran are cancelled', async () => {
    const { test } = await api.world()
    await config(test)
    const [into, from] = [await conversation(test), await conversation(test)]
    const merged = await act(test, from.id, 'merge', { into_id: into.id })
    assert.deepEqual(statuses(merged.sla), ['cancelled', null, 'cancelled'])
    assert.deepEqual(statuses(await slaOf(test, into.id)), ['running', null, 'running'])
  })

  test('of what an operator began wait for no first response', async () => {
    const { test } = await api.world()
    await config(test)
    const begun = await conversation(test, { initiated_by_side: 'operator', message: { body: 'Hello' } })
    assert.deepEqual(statuses(begun.sla), [null, null, 'paused'])
    await say(test, begun.id, 'end_user')
    assert.deepEqual(statuses(await slaOf(test, begun.id)), [null, 'running', 'running'])
  })

  test('go on between two versions of the conversation, and that is no change of it', async () => {
    const { test } = await api.world()
    await config(test)
    const begun = await conversation(test)
    await advance(test, 600)
    const later = await shown(test, begun.id)
    isAbout(later.sla.first_response.elapsed_seconds, 600)
    const patched = await change(test, `/v1/conversations/${begun.id}`, { priority: 'normal' })
    assert.equal(patched.version, begun.version)
    isAbout(patched.sla.first_response.elapsed_seconds, 600)
    await change(test, `/v1/conversations/${begun.id}`, { subject: 'Card' })
    const [, event] = await eventsOf(test, begun.id)
    assert.deepEqual(event!.data.previous, { subject: null })
  })

  test('sort a list: the first due first, without one last', async () => {
    const { test } = await api.world()
    await config(test, { conditions: { priorities: ['high'] }, targets: [{ resolution_seconds: 4 * hour }] })
    await config(test, { conditions: { priorities: ['urgent'] }, targets: [{ resolution_seconds: hour }] })
    const [none, high, urgent] = [
      await conversation(test),
      await conversation(test, { priority: 'high' }),
      await conversation(test, { priority: 'urgent' }),
    ]
    const { data } = succeeded(await test.get('/v1/conversations?sort=sla_due_at'))
    assert.deepEqual(
      data.map(({ id }: Body) => id),
      [urgent.id, high.id, none.id],
    )
  })
})

describe('the config of a conversation', () => {
  test('is the first that is for it, by position; otherwise its department’s', async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const [a, b] = [
      await config(test, { conditions: { channels: ['email'], tags_any: ['vip', 'gold'] } }),
      await config(test, { conditions: { channels: ['email'] } }),
    ]
    const own = await config(test, { conditions: { priorities: ['low'] } })
    const place = await department(test, [member], { default_sla_config_id: own.id })
    const of = async (fields: object) => (await conversation(test, fields)).sla?.sla_config_id ?? null
    assert.equal(await of({ channel: 'email', tags: ['Gold'] }), a.id)
    assert.equal(await of({ channel: 'email' }), b.id)
    assert.equal(await of({ channel: 'web' }), null)
    assert.equal(await of({ channel: 'web', department_id: place }), own.id)
    succeeded(await test.post('/v1/sla_configs/reorder', { ids: [b.id] }))
    assert.equal(await of({ channel: 'email', tags: ['Gold'] }), b.id)
    await change(test, `/v1/sla_configs/${b.id}`, { archived: true })
    assert.equal(await of({ channel: 'email' }), null)
    assert.equal(await of({ channel: 'email', tags: ['vip'] }), a.id)
  })

  test('is chosen again with priority, category, department and tags, and the time used stays used', async () => {
    const { test } = await api.world()
    const normal = await config(test, { conditions: { priorities: ['normal'] } })
    const urgent = await config(test, {
      conditions: { priorities: ['urgent'] },
      targets: [{ first_response_seconds: 900 }],
      warn_at_percent: null,
    })
    const { id, sla } = await conversation(test)
    assert.equal(sla.sla_config_id, normal.id)
    await advance(test, 600)
    const raised = await change(test, `/v1/conversations/${id}`, { priority: 'urgent' })
    assert.equal(raised.sla.sla_config_id, urgent.id)
    assert.equal(raised.sla.first_response.target_seconds, 900)
    isAbout(raised.sla.first_response.elapsed_seconds, 600)
    assert.equal(raised.sla.resolution, null)
    await advance(test, hour)
    const [breach, ...others] = await alarmsOf(test, id)
    assert.equal(others.length, 0)
    assert.equal(breach!.created_at, raised.sla.first_response.due_at)
    const lowered = await change(test, `/v1/conversations/${id}`, { priority: 'normal' })
    assert.equal(lowered.sla.first_response.status, 'breached') // 70 minutes of 60
    const unmatched = await change(test, `/v1/conversations/${id}`, { priority: 'low' })
    assert.equal(unmatched.sla.sla_config_id, normal.id)
    assert.equal(unmatched.sla.resolution.status, 'cancelled')
    await advance(test, hour)
    const matched = await change(test, `/v1/conversations/${id}`, { priority: 'normal' })
    assert.equal(matched.sla.resolution.status, 'running')
    isAbout(matched.sla.resolution.elapsed_seconds, 600 + hour)
    const explained = succeeded(await test.get(`/v1/conversations/${id}/sla`))
    const counted = explained.resolution.spans.filter((span: Body) => span.counted)
    assert.equal(counted.length, 2)
  })

  test('may come late, and counts from the creation as the journal knows it', async () => {
    const { test } = await api.world()
    await config(test, { conditions: { tags_any: ['vip'] } })
    const hold = await holdReason(test)
    const { id } = await conversation(test)
    await advance(test, 600)
    await act(test, id, 'hold', { hold_reason_id: hold })
    await advance(test, 5 * hour)
    await act(test, id, 'resume')
    await advance(test, 300)
    await say(test, id, 'operator')
    await advance(test, 5 * hour)
    await say(test, id, 'end_user')
    await advance(test, 120)
    await act(test, id, 'resolve')
    await advance(test, 5 * hour)
    await say(test, id, 'end_user')
    await advance(test, 60)
    const { sla } = succeeded(await test.post(`/v1/conversations/${id}/tags`, { add: ['vip'] }))
    assert.deepEqual(statuses(sla), ['met', 'running', 'running'])
    isAbout(sla.first_response.elapsed_seconds, 900)
    isAbout(sla.next_response.elapsed_seconds, 60)
    isAbout(sla.resolution.elapsed_seconds, 900 + 120 + 60)
    const explained = succeeded(await test.get(`/v1/conversations/${id}/sla`))
    assert.deepEqual(
      explained.resolution.spans.map(({ reason }: Body) => reason),
      ['in_schedule', 'on_hold', 'in_schedule', 'pending', 'in_schedule', 'answered', 'in_schedule'],
    )
  })

  test('that gets other targets takes its conversations along, and closed ones stay as they are', async () => {
    const { test } = await api.world()
    const { id: configId } = await config(test, { warn_at_percent: null })
    const open: string[] = []
    for (let i = 0; i < 5; i++) open.push((await conversation(test)).id)
    const { id: closed } = await conversation(test)
    await act(test, closed, 'close')
    await advance(test, 600)
    await change(test, `/v1/sla_configs/${configId}`, { name: 'Another name' })
    assert.equal((await slaOf(test, open[0]!)).sla_config_version, 1)
    await change(test, `/v1/sla_configs/${configId}`, { targets: [{ first_response_seconds: 1200 }] })
    for (const id of open) {
      const sla = await slaOf(test, id)
      assert.equal(sla.sla_config_version, 3)
      assert.partialDeepStrictEqual(sla.first_response, { status: 'running', target_seconds: 1200 })
      isAbout(sla.first_response.elapsed_seconds, 600)
      assert.equal(sla.resolution, null)
      const told = (await eventsOf(test, id)).at(-1)!
      assert.partialDeepStrictEqual(told, {
        type: 'conversation.updated',
        actor: { type: 'system' },
        data: { object: { sla: { sla_config_version: 3 } }, previous: { sla: { sla_config_version: 1 } } },
      })
      assert.deepEqual(Object.keys(told.data.previous), ['sla'])
    }
    assert.equal((await slaOf(test, closed)).sla_config_version, 1)
    assert.equal((await advance(test, 540)).events_emitted, 0)
    assert.equal((await advance(test, 60)).events_emitted, 5)
  })

  test('that gets another schedule moves what remains and keeps what was used', async () => {
    const { test } = await api.world()
    await advance(test, 24 * hour)
    const { now } = succeeded(await test.get('/v1/test_clock'))
    const weekly = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => ({
      day,
      from: '00:00',
      to: '24:00',
    }))
    const { id: configId } = await config(test, { warn_at_percent: null })
    const { id } = await conversation(test)
    await advance(test, 1200)
    const tomorrow = new Date(Date.parse(now) + 24 * hour * 1000).toISOString().slice(0, 10)
    const today = now.slice(0, 10)
    const holidays = [{ date: today }, { date: tomorrow }]
    await change(test, `/v1/sla_configs/${configId}`, { schedule: { timezone: 'UTC', weekly, holidays } })
    const { first_response: clock } = await slaOf(test, id)
    isAbout(clock.elapsed_seconds, 1200)
    const dayAfter = Date.parse(tomorrow) + 24 * hour * 1000
    isAbout((Date.parse(clock.due_at) - dayAfter) / 1000, 2400)
    const { first_response: explained } = succeeded(await test.get(`/v1/conversations/${id}/sla`))
    assert.deepEqual(
      explained.spans.map(({ reason }: Body) => reason),
      ['in_schedule', 'holiday'],
    )
  })

  test('that conversations have cannot be deleted', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    await conversation(test)
    const { status, body } = await test.delete(`/v1/sla_configs/${id}`)
    assert.equal(status, 409)
    assert.equal(body.code, 'resource_in_use')
  })
})
