import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { act, type Body, conversation, department, operators, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'

const api = service()

const as = (operator: string) => ({ 'backline-operator': operator })
const claimNext = (client: Client, operator: string, body: Body = {}) =>
  client.post('/v1/conversations/claim_next', body, as(operator))
const claimedBy = async (client: Client, operator: string, body: Body = {}): Promise<string | null> => {
  const { object, conversation } = succeeded(await claimNext(client, operator, body))
  assert.equal(object, 'claim')
  return conversation?.id ?? null
}

describe('claiming the next conversation', () => {
  let client: Client
  let me: string
  before(async () => {
    client = (await api.world()).test
    ;[me] = (await operators(client, 1)) as [string]
  })

  test('gives the one that has waited longest, in any department and in none', async () => {
    const manual = { assignment: { strategy: 'manual' } }
    const place = await department(client, [], manual)
    const first = await conversation(client)
    const second = await conversation(client, { department_id: place })
    const third = await conversation(client)
    // An answer and a question later, the first one has waited less than the others.
    succeeded(
      await client.post(`/v1/conversations/${first.id}/messages`, { author_side: 'operator', body: 'Hi' }),
    )
    succeeded(
      await client.post(`/v1/conversations/${first.id}/messages`, { author_side: 'end_user', body: 'And?' }),
    )
    assert.equal(await claimedBy(client, me), second.id)
    assert.equal(await claimedBy(client, me), third.id)
    assert.equal(await claimedBy(client, me), first.id)
    assert.equal(await claimedBy(client, me), null)
    assert.partialDeepStrictEqual(await shown(client, second.id), { assignee_id: me, status: 'open' })
  })

  test('looks only in the department that is named, also in an archived one', async () => {
    const manual = { assignment: { strategy: 'manual' } }
    const one = await department(client, [], manual)
    const other = await department(client, [], manual)
    await conversation(client, { department_id: other })
    assert.equal(await claimedBy(client, me, { department_id: one }), null)
    const here = await conversation(client, { department_id: one })
    succeeded(await client.patch(`/v1/departments/${one}`, { archived: true }))
    assert.equal(await claimedBy(client, me, { department_id: one }), here.id)
    await claimedBy(client, me)
  })

  test('passes over what waits for somebody else or is done', async () => {
    const [answered, resolved] = [await conversation(client), await conversation(client)]
    succeeded(
      await client.post(`/v1/conversations/${answered.id}/messages`, { author_side: 'operator', body: 'Hi' }),
    )
    await act(client, resolved.id, 'resolve')
    const held = await conversation(client)
    const reason = { name: 'Waits for us', waiting_on: 'operator' }
    const { id: hold_reason_id } = succeeded(await client.post('/v1/hold_reasons', reason))
    assert.equal((await act(client, held.id, 'hold', { hold_reason_id })).waiting_on, 'operator')
    assert.equal(await claimedBy(client, me), null)
  })

  test('needs an operator, and a department that exists', async () => {
    const without = await client.post('/v1/conversations/claim_next', {})
    assert.equal(without.status, 422)
    assert.deepEqual(
      without.body.errors.map(({ header }: Body) => header),
      ['Backline-Operator'],
    )
    const unknown = await claimNext(client, me, { department_id: 'dept_01kah1vgm0e1tbm5ye8n2m9q7c' })
    assert.deepEqual(
      unknown.body.errors.map(({ pointer }: Body) => pointer),
      ['/department_id'],
    )
  })

  test('a retry with the same key answers the same conversation and claims no other', async () => {
    const [one, other] = [await conversation(client), await conversation(client)]
    const headers = { ...as(me), 'idempotency-key': 'claim-1' }
    const claim = () => client.post('/v1/conversations/claim_next', {}, headers)
    const [first, again] = [await claim(), await claim()]
    assert.equal(first.body.conversation.id, one.id)
    assert.equal(again.text, first.text)
    assert.equal(await claimedBy(client, me), other.id)
  })
})

describe('claiming from a view', () => {
  let client: Client
  let me: string
  const view = async (filter: object, fields: object = {}): Promise<string> =>
    succeeded(await client.post('/v1/views', { name: `View ${++made}`, filter, ...fields })).id
  let made = 0
  const high = { field: 'priority', op: 'is', value: 'high' }
  before(async () => {
    client = (await api.world()).test
    ;[me] = (await operators(client, 1)) as [string]
  })

  test('gives the first of its order that waits', async () => {
    await conversation(client)
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push((await conversation(client, { priority: 'high' })).id)
    await act(client, ids[2]!, 'resolve')
    const view_id = await view({ all: [high, { field: 'message_count', op: 'lt', value: 9 }] })
    assert.equal(await claimedBy(client, me, { view_id }), ids[1])
    succeeded(await client.patch(`/v1/views/${view_id}`, { sort: 'created_at' }))
    assert.equal(await claimedBy(client, me, { view_id }), ids[0])
    assert.equal(await claimedBy(client, me, { view_id }), null)
    assert.notEqual(await claimedBy(client, me), null)
  })

  test('with a department, both apply', async () => {
    const manual = { assignment: { strategy: 'manual' } }
    const place = await department(client, [], manual)
    const view_id = await view(high)
    await conversation(client, { department_id: place })
    const elsewhere = await conversation(client, { priority: 'high' })
    const both = { view_id, department_id: place }
    assert.equal(await claimedBy(client, me, both), null)
    const { id } = await conversation(client, { priority: 'high', department_id: place })
    assert.equal(await claimedBy(client, me, both), id)
    assert.equal(await claimedBy(client, me, { view_id }), elsewhere.id)
  })

  test('me is the operator who claims', async () => {
    const filter = { field: 'assignee_id', op: 'is_not', value: 'me' }
    const { id } = await conversation(client, { priority: 'high' })
    assert.equal(await claimedBy(client, me, { view_id: await view({ all: [high, filter] }) }), id)
  })

  test('a broken view is an error, and so are one of end users and one that does not exist', async () => {
    const field = { applies_to: 'conversation', name: 'Plan', key: 'plan', type: 'text' }
    const { id } = succeeded(await client.post('/v1/custom_fields', field))
    const view_id = await view({ field: 'custom_fields.plan', op: 'is', value: 'pro' })
    assert.equal((await client.delete(`/v1/custom_fields/${id}`)).status, 204)
    const broken = await claimNext(client, me, { view_id })
    assert.equal(broken.status, 409)
    assert.deepEqual([broken.body.code, broken.body.params], ['view_broken', { pointer: '/field' }])
    const people = await view({ field: 'name', op: 'exists', value: true }, { applies_to: 'end_user' })
    for (const [id, code] of [
      [people, 'not_allowed'],
      ['view_01kah1vgm0e1tbm5ye8n2m9q7c', 'not_found'],
    ]) {
      const answer = await claimNext(client, me, {
        view_id: id,
        department_id: 'dept_01kah1vgm0e1tbm5ye8n2m9q7c',
      })
      assert.equal(answer.status, 422)
      assert.deepEqual(
        answer.body.errors.map(({ pointer, code }: Body) => [pointer, code]),
        [
          ['/department_id', 'not_found'],
          ['/view_id', code],
        ],
      )
    }
  })

  test('an archived view cannot be named, and a view can be only with the right to read views', async () => {
    const world = await api.world()
    const { test: client } = world
    const [me] = (await operators(client, 1)) as [string]
    const { id } = await conversation(client, { priority: 'high' })
    const view_id = succeeded(await client.post('/v1/views', { name: 'High', filter: high })).id
    const limited = await world.withScopes('conversations:write')
    const refused = await claimNext(limited, me, { view_id })
    assert.equal(refused.status, 403)
    assert.deepEqual([refused.body.code, refused.body.params], ['scope_missing', { scope: 'views:read' }])
    succeeded(await client.patch(`/v1/views/${view_id}`, { archived: true }))
    const archived = await claimNext(client, me, { view_id })
    assert.equal(archived.status, 422)
    assert.deepEqual(
      archived.body.errors.map(({ pointer, code }: Body) => [pointer, code]),
      [['/view_id', 'not_allowed']],
    )
    succeeded(await client.patch(`/v1/views/${view_id}`, { archived: false }))
    const both = await world.withScopes('conversations:write', 'views:read')
    assert.equal(await claimedBy(both, me, { view_id }), id)
  })
})

describe('two servers', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('give 30 conversations of a view to 40 claims at once, each of them once and no others', async () => {
    const { test: client } = await api.world()
    const clients = [client, clientOf(otherUrl, client.key)]
    const filter = {
      all: [
        { field: 'priority', op: 'is', value: 'high' },
        { not: { field: 'subject', op: 'contains', value: 'Spam' } },
      ],
    }
    const view_id = succeeded(await client.post('/v1/views', { name: 'High', filter })).id
    const high = { priority: 'high' }
    const made = await Promise.all(Array.from({ length: 30 }, () => conversation(client, high)))
    for (const other of [{}, { ...high, subject: 'spam' }]) await conversation(client, other)
    const claimants = await operators(client, 40)
    const claimed = await Promise.all(
      claimants.map((claimant, i) => claimedBy(clients[i % 2]!, claimant, { view_id })),
    )
    const given = claimed.filter((id) => id !== null)
    assert.deepEqual(given.toSorted(), made.map(({ id }) => id).toSorted())
  })

  test('give 30 conversations to 40 claims at once, each of them once', async () => {
    const { test: client } = await api.world()
    const clients = [client, clientOf(otherUrl, client.key)]
    const made = await Promise.all(Array.from({ length: 30 }, () => conversation(client)))
    const claimants = await operators(client, 40)
    const claimed = await Promise.all(claimants.map((claimant, i) => claimedBy(clients[i % 2]!, claimant)))
    const given = claimed.filter((id) => id !== null)
    assert.deepEqual(given.toSorted(), made.map(({ id }) => id).toSorted())
    for (const [i, id] of claimed.entries())
      if (id) assert.equal((await shown(client, id)).assignee_id, claimants[i])
  })
})

test('claiming what one has already changes nothing and is a success', async () => {
  const { test: client } = await api.world()
  const [me, other] = (await operators(client, 2)) as [string, string]
  const { id } = await conversation(client)
  const claim = (operator: string) => client.post(`/v1/conversations/${id}/claim`, undefined, as(operator))
  const first = succeeded(await claim(me))
  assert.deepEqual(succeeded(await claim(me)), first)
  const { data } = succeeded(await client.get(`/v1/conversations/${id}/timeline`))
  assert.deepEqual(
    data.map(({ type }: Body) => type),
    ['conversation.created', 'conversation.assigned'],
  )
  assert.equal((await claim(other)).body.code, 'already_assigned')
})
