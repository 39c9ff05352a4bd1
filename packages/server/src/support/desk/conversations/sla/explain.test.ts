import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, shown, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service()

test('of a clock that has run for decades the latest spans are explained', async () => {
  const { test } = await api.world()
  const hours = Array.from({ length: 10 }, (_, i) => String(i + 10))
  const weekly = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].flatMap((day) =>
    hours.map((hour) => ({ day, from: `${hour}:00`, to: `${hour}:30` })),
  )
  const schedule = { timezone: 'UTC', weekly }
  const targets = [{ resolution_seconds: 300_000_000 }]
  succeeded(await test.post('/v1/sla_configs', { name: 'Every hour', targets, schedule }))
  const { id } = await conversation(test)
  for (let decade = 0; decade < 3; decade++)
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 10 * 365 * 86_400 }))
  const { now } = succeeded(await test.get('/v1/test_clock'))
  const { resolution } = succeeded(await test.get(`/v1/conversations/${id}/sla`))
  assert.equal(resolution.spans.length, 10_000)
  const last: Body = resolution.spans.at(-1)
  assert.ok(last.from <= now && last.to >= now, JSON.stringify(last))
})

test('what counted under a config that was deleted since is explained by it', async () => {
  const { test } = await api.world()
  const targets = [{ first_response_seconds: 36_000 }]
  const create = async (fields: object): Promise<Body> =>
    succeeded(await test.post('/v1/sla_configs', { targets, ...fields }))
  const former = await create({ name: 'Former', conditions: { priorities: ['high'] } })
  await create({ name: 'Present' })
  const { id } = await conversation(test, { priority: 'high' })
  succeeded(await test.post('/v1/test_clock/advance', { seconds: 5000 }))
  succeeded(await test.patch(`/v1/conversations/${id}`, { priority: 'low' }))
  assert.equal((await test.delete(`/v1/sla_configs/${former.id}`)).status, 204)
  const { first_response: clock } = (await shown(test, id)).sla
  const { first_response: explained } = succeeded(await test.get(`/v1/conversations/${id}/sla`))
  assert.equal(explained.due_at, clock.due_at)
  assert.deepEqual(
    explained.spans.map(({ reason }: Body) => reason),
    ['in_schedule'],
  )
})
