import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

const api = service()
const clocks = ['first_response', 'next_response', 'resolution']

const config = async (client: Client, targets: object): Promise<Body> =>
  succeeded(await client.post('/v1/sla_configs', { name: 'SLA', targets: [targets] }))

const advance = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

async function told(client: Client, id: string): Promise<Body[]> {
  const types = 'conversation.sla_warning,conversation.sla_breached'
  return succeeded(await client.get(`/v1/events?limit=100&resource_id=${id}&types=${types}`)).data
}

/** The alarm events of a conversation with their clocks, found by the rule in docs/sla.md. */
async function alarmsOf(client: Client, id: string): Promise<string[]> {
  return (await told(client, id)).map(({ type, data: { object, previous } }: Body) => {
    const field = type === 'conversation.sla_breached' ? 'breached_at' : 'warned_at'
    const news = clocks.filter((clock) => object.sla?.[clock]?.[field] && !previous.sla?.[clock]?.[field])
    return `${field} ${news}`
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

describe('what is told late, because the work of some minutes is made up for,', () => {
  /** Postpones the due rows of a conversation by a day. */
  const delay = (tenantId: string, id: string) =>
    api.db.write(sql`update due_work set due_at = due_at + interval '1 day'
      where tenant_id = ${tenantId} and duty = 'sla_alarm' and subject_id = ${uuidOf('conv', id)}`)

  test('shows the clock that it is of, although the next one runs by now', async () => {
    const { test, environments } = await api.world()
    await config(test, { next_response_seconds: 3600 })
    const { id } = await conversation(test)
    await say(test, id, 'operator')
    const question = await say(test, id, 'end_user')
    await delay(environments.test.tenantId, id)
    await advance(test, 4000)
    await say(test, id, 'operator')
    await say(test, id, 'end_user')
    await advance(test, 25 * 3600)
    const due = new Date(Date.parse(question.created_at) + 3600_000).toISOString()
    const [warning, breach] = await told(test, id)
    const { next_response: late } = breach.data.object.sla
    assert.partialDeepStrictEqual(late, { status: 'breached', breached_at: due, due_at: due })
    assert.ok(warning.data.object.sla.next_response.warned_at < due)
    assert.deepEqual((await alarmsOf(test, id)).slice(0, 2), [
      'warned_at next_response',
      'breached_at next_response',
    ])
  })

  test('shows the target that was breached, although it is a higher one by now', async () => {
    const { test, environments } = await api.world()
    const { id: configId } = await config(test, { first_response_seconds: 3600 })
    const { id } = await conversation(test)
    await delay(environments.test.tenantId, id)
    await advance(test, 4000)
    const targets = [{ first_response_seconds: 30 * 24 * 3600 }]
    succeeded(await test.patch(`/v1/sla_configs/${configId}`, { targets }))
    await advance(test, 25 * 3600)
    const [, breach] = await told(test, id)
    assert.partialDeepStrictEqual(breach.data.object.sla.first_response, {
      status: 'breached',
      target_seconds: 3600,
    })
    assert.deepEqual(await alarmsOf(test, id), ['warned_at first_response', 'breached_at first_response'])
  })
})
