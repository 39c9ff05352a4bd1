import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'

const api = service()
const start = '2026-03-27T16:00:00Z' // a Friday; on Sunday the clocks of Berlin go forward

const office = {
  timezone: 'Europe/Berlin',
  weekly: ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => ({ day, from: '09:00', to: '18:00' })),
}

const config = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(
    await client.post('/v1/sla_configs', {
      name: `SLA ${Math.random()}`,
      targets: [
        { priority: 'urgent', first_response_seconds: 600 },
        { first_response_seconds: 7200, next_response_seconds: 3600, resolution_seconds: 36_000 },
      ],
      schedule: office,
      ...fields,
    }),
  )

const simulate = (client: Client, id: string, body: object): Promise<Answer> =>
  client.post(`/v1/sla_configs/${id}/simulate`, { started_at: start, ...body })

const preview = (client: Client, body: object): Promise<Answer> =>
  client.post('/v1/sla_configs/preview_schedule', body)

function assertRefused({ status, body, text }: Answer, faults: [pointer: string, code: string][]): void {
  assert.equal(status, 422, text)
  assert.deepEqual(
    body.errors.map(({ pointer, code }: Body) => [pointer, code]),
    faults,
  )
}

describe('a simulation', () => {
  test('answers what the clocks would be, and writes nothing', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    const events = [
      { at: '2026-03-30T07:30:00Z', type: 'operator_reply' },
      { at: '2026-03-30T08:00:00Z', type: 'end_user_reply' },
      { at: '2026-03-30T08:10:00Z', type: 'end_user_reply' },
      { at: '2026-03-30T08:30:00Z', type: 'hold' },
      { at: '2026-03-30T10:00:00Z', type: 'resume' },
    ]
    const body = { events, as_of: '2026-03-30T10:15:00Z' }
    assert.deepEqual(succeeded(await simulate(test, id, body)), {
      sla_config_id: id,
      sla_config_version: 1,
      first_response: {
        status: 'met', // an hour on Friday, half an hour on Monday
        target_seconds: 7200,
        elapsed_seconds: 5400,
        remaining_seconds: 1800,
        due_at: '2026-03-30T08:00:00.000Z',
        met_at: '2026-03-30T07:30:00.000Z',
        warned_at: null,
        breached_at: null,
      },
      next_response: {
        status: 'running',
        target_seconds: 3600,
        elapsed_seconds: 2700,
        remaining_seconds: 900,
        due_at: '2026-03-30T10:30:00.000Z',
        met_at: null,
        warned_at: null,
        breached_at: null,
      },
      resolution: {
        status: 'running', // pending from the answer to the reply
        target_seconds: 36_000,
        elapsed_seconds: 5400 + 1800 + 900,
        remaining_seconds: 27_900,
        due_at: '2026-03-31T09:00:00.000Z',
        met_at: null,
        warned_at: null,
        breached_at: null,
      },
    })
    const { data } = succeeded(await test.get('/v1/events?types=conversation.*'))
    assert.deepEqual(data, [])
  })

  test('takes the row of its priority before the one for any', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    const sla = succeeded(await simulate(test, id, { priority: 'urgent', as_of: start }))
    assert.equal(sla.first_response.target_seconds, 600)
    assert.equal(sla.resolution, null)
  })

  test('looks at nothing that comes after as_of, and now when there is none', async () => {
    const { test } = await api.world()
    const { id } = await config(test, { schedule: null })
    const events = [{ at: '2026-03-27T16:30:00Z', type: 'operator_reply' }]
    const before = succeeded(await simulate(test, id, { events, as_of: '2026-03-27T16:29:59Z' }))
    assert.equal(before.first_response.status, 'running')
    assert.equal(succeeded(await simulate(test, id, { events })).first_response.status, 'met')
  })

  test('passes over what a conversation would not allow', async () => {
    const { test } = await api.world()
    const { id } = await config(test, { schedule: null })
    const at = '2026-03-27T16:10:00Z'
    const events = ['resume', 'reopen', 'resolve', 'resolve', 'hold'].map((type) => ({ at, type }))
    const sla = succeeded(await simulate(test, id, { events, as_of: at }))
    assert.equal(sla.resolution.met_at, '2026-03-27T16:10:00.000Z')
    assert.equal(sla.first_response.status, 'cancelled')
  })

  test('422 for times that are out of order, each named', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    const reply = (at: string) => ({ at, type: 'operator_reply' })
    const before = '2026-03-27T15:59:59Z'
    assertRefused(await simulate(test, id, { as_of: before }), [['/as_of', 'too_small']])
    assertRefused(await simulate(test, id, { events: [reply(before)] }), [['/events/0/at', 'too_small']])
    const events = [reply('2026-03-28T16:00:00Z'), reply('2026-03-28T15:00:00Z')]
    assertRefused(await simulate(test, id, { events, as_of: before }), [
      ['/as_of', 'too_small'],
      ['/events/1/at', 'too_small'],
    ])
    assertRefused(await simulate(test, id, { as_of: '2126-04-27T16:00:00Z' }), [['/as_of', 'too_large']])
    succeeded(await simulate(test, id, { as_of: '2126-03-27T16:00:00Z' }))
    const old = { started_at: '1969-12-31T23:59:59Z', as_of: '1970-01-01T00:00:00Z' }
    assertRefused(await simulate(test, id, old), [['/started_at', 'too_small']])
    assertRefused(await simulate(test, id, { started_at: '2200-01-01T00:00:00Z' }), [
      ['/started_at', 'too_large'],
    ])
    assertRefused(await simulate(test, id, { started_at: '2199-01-01T00:00:00Z' }), [['/as_of', 'required']])
  })

  test('422 or 413 for what is none, and for more events than a conversation has', async () => {
    const { test } = await api.world()
    const { id } = await config(test)
    const fault = async (body: object) => {
      const { status, body: problem } = await simulate(test, id, body)
      return [status, problem.errors?.[0]?.pointer, problem.errors?.[0]?.code]
    }
    const at = '2026-03-28T16:00:00Z'
    assert.deepEqual(await fault({ started_at: 'Friday' }), [422, '/started_at', 'bad_format'])
    assert.deepEqual(await fault({ events: [{ at, type: 'close' }] }), [422, '/events/0/type', 'not_allowed'])
    assert.deepEqual(await fault({ events: [{ at, type: 'resume', pauses_sla: true }] }), [
      422,
      '/events/0/pauses_sla',
      'unknown_field',
    ])
    const events = (count: number) => Array.from({ length: count }, () => ({ at, type: 'resume' }))
    assert.deepEqual(await fault({ events: events(10_001) }), [422, '/events', 'too_long'])
    assert.equal((await fault({ events: events(100_000) }))[0], 413)
    assert.equal((await fault({ events: events(10_000) }))[0], 200)
  })

  test('404 for a config of another environment', async () => {
    const { test, live } = await api.world()
    const { id } = await config(live)
    assert.equal((await simulate(test, id, {})).status, 404)
  })
})

describe('the preview of a schedule', () => {
  test('lists its working spans as instants, over a change of clocks, cut to the window', async () => {
    const { test } = await api.world()
    const weekly = [
      { day: 'fri', from: '14:00', to: '18:00' },
      { day: 'sat', from: '22:00', to: '06:00' },
    ]
    const holidays = [{ date: '2026-04-03', name: 'Good Friday' }]
    const schedule = { timezone: 'Europe/Berlin', weekly, holidays }
    const { data, ...list } = succeeded(await preview(test, { schedule, from: start, days: 14 }))
    assert.deepEqual(list, { object: 'list', has_more: false, next_cursor: null })
    assert.deepEqual(data, [
      { from: '2026-03-27T16:00:00.000Z', to: '2026-03-27T17:00:00.000Z' },
      { from: '2026-03-28T21:00:00.000Z', to: '2026-03-29T04:00:00.000Z' },
      { from: '2026-04-04T20:00:00.000Z', to: '2026-04-05T04:00:00.000Z' },
      { from: '2026-04-10T12:00:00.000Z', to: '2026-04-10T16:00:00.000Z' },
    ])
  })

  test('of around the clock is the window', async () => {
    const { test } = await api.world()
    const { data } = succeeded(await preview(test, { schedule: null, from: start, days: 1 }))
    assert.deepEqual(data, [{ from: '2026-03-27T16:00:00.000Z', to: '2026-03-28T16:00:00.000Z' }])
  })

  test('422 for what a config would refuse, too', async () => {
    const { test } = await api.world()
    const schedule = { timezone: 'Mars/Olympus', weekly: [{ day: 'mon', from: '09:00', to: '09:00' }] }
    assertRefused(await preview(test, { schedule, from: '1960-01-01T00:00:00Z', days: 7 }), [
      ['/schedule/timezone', 'bad_format'],
      ['/schedule/weekly/0/to', 'not_allowed'],
      ['/from', 'too_small'],
    ])
    assertRefused(await preview(test, { schedule: office, from: start, days: 367 }), [['/days', 'too_large']])
    assertRefused(await preview(test, { schedule: office, days: 0 }), [
      ['/from', 'required'],
      ['/days', 'too_small'],
    ])
  })
})
