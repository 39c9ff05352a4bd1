import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { act, type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import {
  deliveriesOf,
  endpoint,
  type HookReceiver,
  hookReceiver,
  localNetworks,
  openWorker,
  tag,
} from '@backline/test/hooks.ts'
import { until } from '@backline/test/processes.ts'
import { url } from '@backline/test/webhook-fixtures.ts'

const api = service({ environment: localNetworks })

const is = (field: string, value: unknown) => ({ field, op: 'is', value })
const contains = (field: string, value: unknown) => ({ field, op: 'contains', value })

/** An endpoint with a filter. */
async function filtered(client: Client, filter: object | null, fields: object = {}): Promise<Filtered> {
  const to = await hookReceiver()
  const made = await endpoint(client, to.url, { enabled_events: ['*'], filter, ...fields })
  return { ...to, endpoint: made }
}

type Filtered = HookReceiver & { endpoint: Body }

/** The types of the events of conversations and messages that have arrived, after all of them were sent. */
async function arrived(client: Client, ...all: Filtered[]): Promise<string[][]> {
  const { id } = await tag(client)
  for (const { hooks, endpoint } of all) {
    await until('a later one arrives', async () => hooks.some(({ event }) => event.resource.id === id))
    const pending = () => deliveriesOf(client, endpoint, 'status=pending')
    await until('nothing is left', async () => (await pending()).length === 0)
  }
  const types = ({ hooks }: HookReceiver) => hooks.map(({ event }) => event.type)
  return all.map((to) => sorted(types(to).filter((type) => /^(conversation|message)\./.test(type))))
}

/** Events may arrive in another order. */
const sorted = (types: string[]): string[] => types.toSorted()

const change = async (client: Client, { id }: Body, patch: object): Promise<Body> =>
  succeeded(await client.patch(`/v1/conversations/${id}`, patch))

const customField = async (client: Client, applies_to: string, key: string, type = 'text') =>
  succeeded(await client.post('/v1/custom_fields', { applies_to, key, name: key, type }))

describe('a filter', () => {
  test('is null unless it is set, is shown as it was set, and null clears it', async () => {
    const { test } = await api.world()
    const made = succeeded(await test.post('/v1/webhook_endpoints', { url }))
    assert.equal(made.filter, null)
    const filter = { all: [is('status', 'open'), { not: contains('tags', 'spam') }] }
    const at = `/v1/webhook_endpoints/${made.id}`
    assert.deepEqual(succeeded(await test.patch(at, { filter })).filter, filter)
    assert.deepEqual(succeeded(await test.patch(at, { description: 'x' })).filter, filter)
    assert.deepEqual(succeeded(await test.get(at)).filter, filter)
    assert.equal(succeeded(await test.patch(at, { filter: null })).filter, null)
    assert.deepEqual(succeeded(await test.post('/v1/webhook_endpoints', { url, filter })).filter, filter)
  })

  test('is refused with all of its faults, together with those of the other fields', async () => {
    const { test } = await api.world()
    const filter = {
      all: [
        is('status', 'opened'),
        is('assignee_id', 'me'),
        { field: 'subjekt', op: 'is', value: 'x' },
        { any: [] },
      ],
    }
    const faults = [
      ['/filter/all/0/value', 'not_allowed'],
      ['/filter/all/1/value', 'not_allowed'],
      ['/filter/all/2/field', 'unknown_field'],
      ['/filter/all/3/any', 'too_short'],
    ]
    const told = ({ status, body }: { status: number; body: Body }) => {
      assert.equal(status, 422)
      return body.errors.map(({ pointer, code }: Body) => [pointer, code]).toSorted()
    }
    const also = { url: 'https://10.0.0.1/', status: 'disabled' }
    const created = told(await test.post('/v1/webhook_endpoints', { ...also, filter }))
    assert.deepEqual(created, [...faults, ['/status', 'not_allowed'], ['/url', 'not_allowed']].toSorted())
    const { id } = succeeded(await test.post('/v1/webhook_endpoints', { url }))
    assert.deepEqual(told(await test.patch(`/v1/webhook_endpoints/${id}`, { filter })), faults)
    const asOperator = { 'backline-operator': await operator(test) }
    const mine = { filter: is('assignee_id', 'me') }
    const { body } = await test.patch(`/v1/webhook_endpoints/${id}`, mine, asOperator)
    assert.deepEqual(body.errors[0].pointer, '/filter/value')
    assert.match(body.errors[0].detail, /webhook endpoint/)
    const tooLong = { field: 'subject', op: 'in', value: Array(100).fill('x'.repeat(50)) }
    assert.deepEqual(told(await test.patch(`/v1/webhook_endpoints/${id}`, { filter: tooLong })), [
      ['/filter', 'too_long'],
    ])
  })
})

describe('events', () => {
  before(async () => {
    await openWorker(api)
  })

  test('of conversations and messages arrive only while the conversation matches; others are not held back', async () => {
    const { test } = await api.world()
    const [vip, all] = [await filtered(test, contains('tags', 'VIP')), await filtered(test, null)]
    const one = await conversation(test, { tags: ['vip'] })
    const other = await conversation(test)
    await say(test, one.id, 'end_user')
    await say(test, other.id, 'end_user')
    await act(test, one.id, 'resolve')
    await act(test, one.id, 'tags', { remove: ['vip'] })
    await act(test, one.id, 'reopen')
    const [ofVip, ofAll] = await arrived(test, vip, all)
    assert.deepEqual(ofVip, ['conversation.created', 'conversation.resolved', 'message.created'])
    assert.equal(ofAll!.length, 7)
    assert.ok(vip.hooks.some(({ event }) => event.type === 'tag.created'))
  })

  test('of messages are judged by the conversation as it was then', async () => {
    const { test } = await api.world()
    const at = {
      open: await filtered(test, is('status', 'open')),
      pending: await filtered(test, is('status', 'pending')),
      second: await filtered(test, is('message_count', 2)),
      unwritten: await filtered(test, { field: 'last_message_at', op: 'exists', value: false }),
    }
    const { id } = await conversation(test)
    await say(test, id, 'operator') // pending
    await say(test, id, 'end_user') // open
    await say(test, id, 'end_user')
    await say(test, id, 'operator', { visibility: 'internal' })
    await act(test, id, 'close')
    await say(test, id, 'operator', { visibility: 'internal' })
    const [open, pending, second, unwritten] = await arrived(test, ...Object.values(at))
    const message = 'message.created'
    assert.deepEqual(open, ['conversation.updated', message, message, message])
    assert.deepEqual(pending, ['conversation.updated', message])
    assert.deepEqual(second, ['conversation.updated', message])
    assert.deepEqual(unwritten, ['conversation.created'])
  })

  test('are judged by what the database knows of people, companies and merged tags', async () => {
    const { test } = await api.world()
    await customField(test, 'end_user', 'plan')
    await customField(test, 'company', 'size', 'number')
    const company = succeeded(await test.post('/v1/companies', { name: 'ACME', custom_fields: { size: 40 } }))
    const anna = succeeded(
      await test.post('/v1/end_users', {
        external_id: 'anna',
        emails: [{ address: 'Anna@example.com' }],
        company_ids: [company.id],
        custom_fields: { plan: 'pro' },
      }),
    )
    const old = succeeded(await test.post('/v1/end_users', { external_id: 'old' }))
    succeeded(await test.post(`/v1/end_users/${old.id}/merge`, { into_id: anna.id, keep_alias: true }))
    const [kept, gone] = [await tag(test), await tag(test)]
    succeeded(await test.post(`/v1/tags/${gone.id}/merge`, { into_id: kept.id }))
    const matching = [
      is('end_user.email', 'ANNA@example.com'),
      is('end_user.custom_fields.plan', 'pro'),
      { field: 'company.custom_fields.size', op: 'gte', value: 40 },
      is('external_user_id', 'old'),
      is('end_user_id', old.id),
      is('end_user_id', anna.id),
      contains('tags', gone.name),
      is('end_user.verified', false),
    ]
    const receivers: Filtered[] = []
    for (const filter of matching) {
      receivers.push(await filtered(test, filter), await filtered(test, { not: filter }))
    }
    const { id } = await conversation(test, {
      external_user_id: 'anna',
      company_id: company.id,
      tags: [kept.name],
    })
    await say(test, id, 'end_user')
    const all = await arrived(test, ...receivers)
    for (const [i, types] of all.entries()) {
      const expected = i % 2 === 0 ? ['conversation.created', 'message.created'] : []
      assert.deepEqual(types, expected, JSON.stringify(matching[Math.floor(i / 2)]))
    }
  })

  test('are judged by the SLA clocks at their time', async () => {
    const { test } = await api.world()
    succeeded(
      await test.post('/v1/sla_configs', {
        name: 'Fast',
        targets: [{ priority: null, first_response_seconds: 600 }],
      }),
    )
    const [breached, met] = [
      await filtered(test, is('sla.status', 'breached')),
      await filtered(test, is('sla.status', 'met')),
    ]
    const { id } = await conversation(test, { initiated_by_side: 'end_user' })
    const reason = succeeded(await test.post('/v1/hold_reasons', { name: 'Bank', pauses_sla: false })).id
    await act(test, id, 'hold', { hold_reason_id: reason })
    const late = await conversation(test, { initiated_by_side: 'end_user' })
    await say(test, id, 'operator') // stays on hold, and meets the clock without an event of the conversation
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 1_000 }))
    await say(test, late.id, 'end_user')
    const [ofBreached, ofMet] = await arrived(test, breached, met)
    assert.deepEqual(ofBreached, ['conversation.sla_breached', 'message.created'])
    assert.deepEqual(ofMet, ['message.created'])
  })

  test('are all delivered after a custom field of the filter was deleted', async () => {
    const { test } = await api.world()
    const field = await customField(test, 'conversation', 'plan')
    const to = await filtered(test, is('custom_fields.plan', 'pro'))
    const one = await conversation(test, { custom_fields: { plan: 'pro' } })
    await conversation(test, { custom_fields: { plan: 'free' } })
    assert.deepEqual(await arrived(test, to), [['conversation.created']])
    succeeded(await test.delete(`/v1/custom_fields/${field.id}`))
    await change(test, one, { priority: 'high' })
    await conversation(test)
    const expected = ['conversation.created', 'conversation.created', 'conversation.updated']
    assert.deepEqual(await arrived(test, to), [expected])
  })

  test('that are recovered obey the filter too', async () => {
    const { test } = await api.world()
    const to = await filtered(test, is('priority', 'high'), { status: 'paused' })
    const one = await conversation(test, { priority: 'high' })
    await conversation(test)
    await say(test, one.id, 'end_user')
    await change(test, one, { priority: 'normal' })
    const since = one.created_at
    const at = `/v1/webhook_endpoints/${to.endpoint.id}`
    assert.equal(succeeded(await test.post(`${at}/recover`, { since })).events, 5) // with that of the end user
    succeeded(await test.patch(at, { status: 'enabled' }))
    assert.deepEqual(await arrived(test, to), [['conversation.created', 'message.created']])
  })
})
