import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '../../../../test/desk.ts'
import { type Client, service } from '../../../../test/harness.ts'

const api = service()
const clocks = ['first_response', 'next_response', 'resolution']

const config = async (client: Client, targets: object): Promise<Body> =>
  succeeded(await client.post('/v1/sla_configs', { name: 'SLA', targets: [targets] }))

const advance = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

/** What was told of a conversation, and of which clocks, as docs/sla.md says that readers know. */
async function alarmsOf(client: Client, id: string): Promise<string[]> {
  const types = 'conversation.sla_warning,conversation.sla_breached'
  const { data } = succeeded(await client.get(`/v1/events?limit=100&resource_id=${id}&types=${types}`))
  return data.map(({ type, data: { object, previous } }: Body) => {
    const field = type === 'conversation.sla_breached' ? 'breached_at' : 'warned_at'
    const told = clocks.filter((clock) => object.sla?.[clock]?.[field] && !previous.sla?.[clock]?.[field])
    return `${field} ${told}`
  })
}

describe('each warning and each breach is told of one clock', () => {
  test('also where two clocks are due at the same moment', async () => {
    const { test } = await api.world()
    await config(test, { first_response_seconds: 3600, resolution_seconds: 3600 })
    const { id } = await conversation(test)
    await advance(test, 4000)
    assert.deepEqual(await alarmsOf(test, id), [
      'warned_at first_response',
      'warned_at resolution',
      'breached_at first_response',
      'breached_at resolution',
    ])
  })

  test('also of what lower targets breach at once', async () => {
    const { test } = await api.world()
    const { id: configId } = await config(test, { first_response_seconds: 3600, resolution_seconds: 7200 })
    const { id } = await conversation(test)
    await advance(test, 600)
    const targets = [{ first_response_seconds: 60, resolution_seconds: 60 }]
    succeeded(await test.patch(`/v1/sla_configs/${configId}`, { targets }))
    await advance(test, 1)
    assert.deepEqual(await alarmsOf(test, id), ['breached_at first_response', 'breached_at resolution'])
  })

  test('also of a conversation that is late already when it comes under its config', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await advance(test, 600)
    await config(test, { first_response_seconds: 60, resolution_seconds: 120 })
    succeeded(await test.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    await advance(test, 1)
    assert.deepEqual(await alarmsOf(test, id), ['breached_at first_response', 'breached_at resolution'])
  })
})
