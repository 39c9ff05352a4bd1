import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { config } from '@backline/test/sla-fixtures.ts'

/* Warnings and breaches as events, on a server that runs its background work. */

const api = service({ works: true })
const hour = 3600

/** Waits for `count` alarms; returns the kind of each and its clocks by the rule in docs/sla.md. */
async function told(client: Client, id: string, count: number): Promise<string[]> {
  const path = `/v1/events?resource_id=${id}&types=conversation.sla_warning,conversation.sla_breached`
  const events: Body[] = await until('all are told', async () => {
    const { data } = succeeded(await client.get(path))
    return data.length >= count && data
  })
  return events.map(({ type, data: { object, previous } }) => {
    const field = type === 'conversation.sla_breached' ? 'breached_at' : 'warned_at'
    const clocks = ['first_response', 'next_response', 'resolution'].filter(
      (clock) => object.sla?.[clock]?.[field] && !previous.sla?.[clock]?.[field],
    )
    return `${type.replace('conversation.sla_', '')} ${clocks.join()}`
  })
}

test('what was due while nobody worked is told in order, each event about one clock', async () => {
  const { live } = await api.world()
  await config(live, { targets: [{ first_response_seconds: hour, resolution_seconds: 2 * hour }] })
  const { id } = await conversation(live)
  api.advance(3 * hour)
  await say(live, id, 'operator')
  assert.deepEqual(await told(live, id, 4), [
    'warning first_response',
    'breached first_response',
    'warning resolution',
    'breached resolution',
  ])
})
