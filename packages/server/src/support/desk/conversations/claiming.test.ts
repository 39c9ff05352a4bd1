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

describe('two servers', () => {
  let otherUrl = ''
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

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
