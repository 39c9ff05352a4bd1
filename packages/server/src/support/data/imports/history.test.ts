import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { endpoint, hookReceiver, localNetworks } from '@backline/test/hooks.ts'
import { conversationLine, imported, messageLine } from '@backline/test/imports.ts'
import { until } from '@backline/test/processes.ts'

/* Nothing of the past starts anything in the present. */

const api = service({ works: true, environment: localNetworks })

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

const typesIn = async (client: Client): Promise<string[]> => {
  const { body } = await client.get('/v1/events?limit=100')
  return body.data.map(({ type }: Body) => type)
}

describe('an import starts', () => {
  test('no webhook, except where its type is named', async () => {
    const { test: client } = await api.world()
    const receiving = async (...enabled_events: string[]) => {
      const receiver = await hookReceiver()
      await endpoint(client, receiver.url, { enabled_events })
      return () => receiver.hooks.map(({ event }) => event)
    }
    const everything = await receiving('*')
    const families = await receiving('conversation.*', 'operator.*', 'end_user.*')
    const named = await receiving('conversation.imported', 'operator.created')
    const lines = [
      { type: 'operator', external_id: 'ada', name: 'Ada', email: 'ada@example.com' },
      { type: 'tag', external_id: 't1', name: 'Billing' },
      conversationLine('c1', { assignee_external_id: 'ada', tags: ['vip'] }),
      conversationLine('c2'),
      ...['m1', 'm2', 'm3'].map((id) => messageLine(id, 'c1')),
    ]
    const { job } = await imported(api, client, lines)
    assert.equal(job.status, 'succeeded')
    await client.post('/v1/tags', { name: 'The end' })
    await until('the last event has arrived', () =>
      everything().some(({ data }) => data.object?.name === 'The end' || data.tag?.name === 'The end'),
    )
    await until('the events of the import have arrived', () => named().length >= 3)
    assert.deepEqual(
      named()
        .map(({ type }) => type)
        .sort(),
      ['conversation.imported', 'conversation.imported', 'operator.created'],
    )
    assert.deepEqual(families(), [])
    const others = everything()
      .map(({ type }) => type)
      .filter((type) => !/^(job|file|webhook_endpoint)\./.test(type))
    assert.deepEqual(others, ['tag.created'])
    const types = await typesIn(client)
    assert.equal(types.filter((type) => type === 'conversation.imported').length, 2)
    assert.equal(types.filter((type) => type === 'tag.created').length, 3)
    assert.ok(!types.includes('message.created') && !types.includes('conversation.created'))
  })

  test('no routing, no clock and no automatic closing', async () => {
    const { test: client } = await api.world()
    const department = succeeded(
      await client.post('/v1/departments', { name: 'Billing', assignment: { strategy: 'round_robin' } }),
    )
    const operator = succeeded(await client.post('/v1/operators', { name: 'Ada', email: 'ada@example.com' }))
    succeeded(await client.put(`/v1/departments/${department.id}/operators/${operator.id}`))
    succeeded(await client.put(`/v1/operators/${operator.id}/status`, { status: 'online' }))
    succeeded(
      await client.post('/v1/sla_configs', { name: 'Usual', targets: [{ first_response_seconds: 60 }] }),
    )
    const { results } = await imported(api, client, [
      { type: 'department', external_id: 'd1', name: 'billing' },
      conversationLine('c1', { department_external_id: 'd1', status: 'new' }),
      conversationLine('c2', { status: 'resolved', resolved_at: '2020-03-02T08:00:00Z' }),
      conversationLine('c3', { status: 'on_hold', hold: { reason: 'Parts', note: 'In March' } }),
      conversationLine('c4', { status: 'pending', assignee_external_id: 'ada' }),
      messageLine('m1', 'c1'),
      messageLine('m4', 'c4', { author_side: 'operator', operator_external_id: 'ada' }),
    ])
    assert.equal(results[0].id, department.id, 'departments of the same name are adopted')
    api.advance(400 * 86_400)
    await client.post('/v1/tags', { name: 'Something else' })
    const conversation = async (i: number) => (await client.get(`/v1/conversations/${results[i].id}`)).body
    const [fresh, resolved, held, pending] = await Promise.all([1, 2, 3, 4].map(conversation))
    assert.deepEqual(
      [fresh.status, fresh.assignee_id, fresh.sla, fresh.waiting_on, fresh.waiting_since],
      ['new', null, null, 'operator', '2020-03-01T08:00:00.000Z'],
    )
    assert.deepEqual([resolved.status, resolved.resolved_at], ['resolved', '2020-03-02T08:00:00.000Z'])
    assert.deepEqual(
      [held.status, held.hold.note, held.hold.until, held.waiting_on],
      ['on_hold', 'In March', null, 'third_party'],
    )
    assert.equal(pending.waiting_on, 'end_user')
    const { body: hand } = await client.get(`/v1/operators/${pending.assignee_id}`)
    assert.deepEqual([hand.open_conversations, hand.archived], [1, true])
    await client.post(`/v1/conversations/${results[4].id}/resolve`, {})
    assert.equal((await client.get(`/v1/operators/${pending.assignee_id}`)).body.open_conversations, 0)
  })

  test('nothing that the audit log would not show', async () => {
    const { test: client } = await api.world()
    await imported(api, client, [conversationLine('c1', { priority: 'urgent' })])
    const entries = await until('the audit log has the conversation', async () => {
      const { body } = await client.get('/v1/audit_log?limit=100')
      const found = body.data.filter(({ action }: Body) => action === 'conversation.imported')
      return found.length > 0 ? found : null
    })
    assert.deepEqual(entries[0].changes.priority, { from: null, to: 'urgent' })
  })
})
