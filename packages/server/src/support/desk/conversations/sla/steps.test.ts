import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { apply, macro } from '@backline/test/macro-fixtures.ts'
import { config } from '@backline/test/sla-fixtures.ts'

const api = service()
const hour = 3600

const advance = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const explained = async (client: Client, id: string): Promise<Body> =>
  succeeded(await client.get(`/v1/conversations/${id}/sla`))

const statuses = (sla: Body) =>
  [sla.first_response, sla.next_response, sla.resolution].map((clock) => clock?.status ?? null)

describe('what a change does in several steps is one step to the clocks', () => {
  test('an answer after the resolution, in one macro, is an answer to the row and to its explanation', async () => {
    const { test } = await api.world()
    await config(test, {
      targets: [{ first_response_seconds: hour, next_response_seconds: hour, resolution_seconds: hour }],
    })
    const { id } = await conversation(test)
    await say(test, id, 'operator')
    await advance(test, 60)
    await say(test, id, 'end_user')
    await advance(test, 60)
    succeeded(
      await apply(test, await macro(test, [{ type: 'resolve' }, { type: 'reply', body: 'Done' }]), { id }),
    )
    assert.deepEqual(statuses((await shown(test, id)).sla), ['met', 'met', 'met'])
    assert.deepEqual(statuses(await explained(test, id)), ['met', 'met', 'met'])
  })

  for (const priority of ['normal', 'low'])
    test(`a target that held for no time at all is not breached, when ${priority} came under a config before or not`, async () => {
      const { test } = await api.world()
      await config(test, { conditions: { priorities: ['urgent'] }, targets: [{ resolution_seconds: 60 }] })
      const { id: own } = await config(test, {
        conditions: { priorities: ['normal', 'high'] },
        targets: [{ resolution_seconds: hour }],
      })
      const { id } = await conversation(test, { priority })
      await advance(test, 600)
      const there = { type: 'set_priority', priority: 'urgent' }
      const back = { type: 'set_priority', priority: 'high' }
      succeeded(await apply(test, await macro(test, [there, back]), { id }))
      assert.equal((await advance(test, 60)).events_emitted, 0)
      const { sla } = await shown(test, id)
      assert.equal(sla.sla_config_id, own)
      assert.partialDeepStrictEqual(sla.resolution, { status: 'running', warned_at: null, breached_at: null })
      assert.partialDeepStrictEqual(await explained(test, id), {
        sla_config_id: own,
        resolution: { spans: [{ reason: 'in_schedule' }] },
      })
    })

  test('a conversation that is as it was at the end of a macro is not changed', async () => {
    const { test } = await api.world()
    await config(test, { conditions: { priorities: ['urgent'] }, targets: [{ resolution_seconds: 60 }] })
    await config(test, { targets: [{ resolution_seconds: hour }] })
    const { id, version } = await conversation(test)
    await advance(test, 600)
    const [there, back] = ['urgent', 'normal'].map((priority) => ({ type: 'set_priority', priority }))
    succeeded(await apply(test, await macro(test, [there!, back!]), { id }))
    assert.equal((await shown(test, id)).version, version)
    assert.equal((await advance(test, 60)).events_emitted, 0)
  })
})
