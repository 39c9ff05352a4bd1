import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { type Action, allActions, allowedActions, type Status, statuses, targetOf } from './lifecycle.ts'

const api = service()

/** The requests that bring a conversation into each status. */
const ways: Record<Status, (client: Client) => Promise<Answer>> = {
  new: (client) => client.post('/v1/conversations', { external_user_id: 'user_42' }),
  open: async (client) => {
    const { body } = await ways.pending(client)
    await client.post(`/v1/conversations/${body.id}/messages`, { author_side: 'end_user', body: 'And now?' })
    return client.get(`/v1/conversations/${body.id}`)
  },
  pending: (client) =>
    client.post('/v1/conversations', {
      external_user_id: 'user_42',
      initiated_by_side: 'operator',
      message: { body: 'Hello' },
    }),
  resolved: async (client) => client.post(`/v1/conversations/${(await ways.new(client)).body.id}/resolve`),
  on_hold: async (client) => act(client, (await ways.new(client)).body, 'hold'),
  closed: async (client) => client.post(`/v1/conversations/${(await ways.new(client)).body.id}/close`),
}

async function conversationIn(client: Client, status: Status) {
  const { body } = await ways[status](client)
  assert.equal(body.status, status)
  return body
}

describe('creating', () => {
  test('201 with defaults when only external_user_id is given', async () => {
    const { test } = await api.world()
    const { status, body, headers } = await test.post('/v1/conversations', { external_user_id: 'user_42' })
    assert.equal(status, 201)
    assert.equal(headers.get('location'), `/v1/conversations/${body.id}`)
    assert.partialDeepStrictEqual(body, {
      object: 'conversation',
      status: 'new',
      initiated_by_side: 'end_user',
      channel: 'api',
      priority: 'normal',
      waiting_on: 'operator',
      waiting_since: body.created_at,
      message_count: 0,
      unread_count: { end_user: 0, operator: 0 },
      version: 1,
    })
  })

  test('the first message comes with it, and the status follows from its side', async () => {
    const { test } = await api.world()
    for (const [side, status] of [
      ['end_user', 'new'],
      ['operator', 'pending'],
      ['system', 'new'],
    ]) {
      const { body } = await test.post('/v1/conversations', {
        external_user_id: 'user_42',
        initiated_by_side: side,
        message: { body: 'Hello', metadata: { a: 'b' } },
      })
      assert.partialDeepStrictEqual(body, { status, message_count: 1, last_message_side: side, version: 1 })
      const { body: messages } = await test.get(`/v1/conversations/${body.id}/messages`)
      assert.partialDeepStrictEqual(messages.data, [
        { sequence: 1, author_side: side, body: 'Hello', metadata: { a: 'b' } },
      ])
    }
  })

  test('403 for a first message when the key lacks messages:write', async () => {
    const { withScopes } = await api.world()
    const client = await withScopes('conversations:write')
    const { status, body } = await client.post('/v1/conversations', {
      external_user_id: 'u',
      message: { body: 'Hello' },
    })
    assert.equal(status, 403)
    assert.deepEqual(body.params, { scope: 'messages:write' })
  })

  test('409 already_exists with the first id when external_id is taken, also by a concurrent create', async () => {
    const { test } = await api.world()
    const input = { external_user_id: 'u', external_id: 'order-1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => test.post('/v1/conversations', input)))
    const created = answers.filter((answer) => answer.status === 201)
    assert.equal(created.length, 1)
    for (const { status, body } of answers) {
      if (status === 201) continue
      assert.equal(body.code, 'already_exists')
      assert.deepEqual(body.params, { id: created[0]!.body.id, field: 'external_id' })
    }
  })

  test('422 when follow_up_of_id is unknown or of another end user', async () => {
    const { test, live } = await api.world()
    const { body: earlier } = await test.post('/v1/conversations', { external_user_id: 'anna' })
    const { body: elsewhere } = await live.post('/v1/conversations', { external_user_id: 'anna' })
    const follow = (external_user_id: string, follow_up_of_id: string) =>
      test.post('/v1/conversations', { external_user_id, follow_up_of_id })
    assert.equal((await follow('anna', earlier.id)).body.follow_up_of_id, earlier.id)
    for (const [user, id, code] of [
      ['anna', elsewhere.id, 'not_found'],
      ['ben', earlier.id, 'not_allowed'],
    ]) {
      const { status, body } = await follow(user, id)
      assert.equal(status, 422)
      assert.partialDeepStrictEqual(body.errors, [{ pointer: '/follow_up_of_id', code }])
    }
  })
})

/** The request of an action, with objects created for it. */
async function requestOf(
  action: Action,
  client: Client,
): Promise<[body?: object | undefined, headers?: Record<string, string>]> {
  const create = async (path: string, body: object) => (await client.post(path, body)).body.id as string
  const operator = () => create('/v1/operators', { name: 'Ada', email: `${randomUUID()}@example.com` })
  switch (action) {
    case 'assign':
      return [{ assignee_id: await operator() }]
    case 'claim':
      return [undefined, { 'backline-operator': await operator() }]
    case 'hold':
      return [{ hold_reason_id: await create('/v1/hold_reasons', { name: randomUUID().slice(0, 20) }) }]
    case 'merge':
      return [{ into_id: await create('/v1/conversations', { external_user_id: 'user_42' }) }]
    default:
      return []
  }
}

async function act(client: Client, { id }: { id: string }, action: Action): Promise<Answer> {
  const [body, headers] = await requestOf(action, client)
  return client.post(`/v1/conversations/${id}/${action}`, body, headers)
}

describe('the state machine', () => {
  for (const from of statuses) {
    const allowed = allowedActions({ status: from, assignee_id: null })
    test(`from ${from}: exactly ${allowed.join(', ') || 'nothing'} is possible`, async () => {
      const { test } = await api.world()
      const { id: listedId } = await conversationIn(test, from)
      const { body: listed } = await test.get(`/v1/conversations/${listedId}/transitions`)
      assert.deepEqual(
        listed.data.map((each: { action: string }) => each.action),
        allowed,
      )
      for (const action of allActions) {
        const before = await conversationIn(test, from)
        const { status, body } = await act(test, before, action)
        const to = targetOf(from, action)
        if (to) {
          assert.equal(status, 200, body.detail)
          assert.equal(body.status, to)
          assert.equal(body.version, before.version + 1)
        } else {
          assert.equal(status, 409)
          assert.equal(body.code, 'invalid_transition')
          assert.deepEqual(body.params, { from, action, allowed })
          assert.equal((await test.get(`/v1/conversations/${before.id}`)).body.version, before.version)
        }
      }
    })
  }

  test('resolving, reopening and closing keep their times and counts', async () => {
    const { test } = await api.world()
    const { id } = await conversationIn(test, 'new')
    const resolved = (await test.post(`/v1/conversations/${id}/resolve`)).body
    assert.partialDeepStrictEqual(resolved, {
      waiting_on: null,
      waiting_since: null,
      resolved_at: resolved.updated_at,
    })
    const reopened = (await test.post(`/v1/conversations/${id}/reopen`)).body
    assert.partialDeepStrictEqual(reopened, {
      status: 'open',
      resolved_at: null,
      reopened_count: 1,
      waiting_on: 'operator',
    })
    const closed = (await test.post(`/v1/conversations/${id}/close`)).body
    assert.partialDeepStrictEqual(closed, {
      closed_at: closed.updated_at,
      waiting_on: null,
      reopened_count: 1,
    })
  })

  test('the note of a resolution becomes an internal note', async () => {
    const { test } = await api.world()
    const { id } = await conversationIn(test, 'new')
    const { body } = await test.post(`/v1/conversations/${id}/resolve`, { note: 'Refunded.' })
    assert.partialDeepStrictEqual(body, { status: 'resolved', message_count: 1, first_response_at: null })
    const { body: messages } = await test.get(`/v1/conversations/${id}/messages`)
    assert.partialDeepStrictEqual(messages.data, [
      { visibility: 'internal', author_side: 'operator', body: 'Refunded.' },
    ])
  })

  test('one of 20 concurrent closes wins, the others are told', async () => {
    const { test } = await api.world()
    const { id } = await conversationIn(test, 'new')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => test.post(`/v1/conversations/${id}/close`)),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ body }) => body.code === 'invalid_transition').length, 19)
  })
})

describe('patching', () => {
  test('omitted keeps, null clears, a value sets; metadata merges key by key', async () => {
    const { test } = await api.world()
    const { body: created } = await test.post('/v1/conversations', {
      external_user_id: 'u',
      subject: 'Before',
      language: 'de',
      metadata: { keep: '1', drop: '2' },
    })
    const patch = { subject: null, priority: 'high', metadata: { drop: null, add: '3' } }
    const { status, body } = await test.patch(`/v1/conversations/${created.id}`, patch)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { subject: null, priority: 'high', language: 'de', version: 2 })
    assert.deepEqual(body.metadata, { keep: '1', add: '3' })
  })

  test('a patch that changes nothing leaves version and updated_at alone', async () => {
    const { test } = await api.world()
    const { body: created } = await test.post('/v1/conversations', { external_user_id: 'u', subject: 'Same' })
    for (const patch of [{}, { subject: 'Same' }, { metadata: { gone: null } }]) {
      const { status, body } = await test.patch(`/v1/conversations/${created.id}`, patch)
      assert.equal(status, 200)
      assert.deepEqual(body, created)
    }
  })

  test('a merge that would exceed 50 keys is 422', async () => {
    const { test } = await api.world()
    const full = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v']))
    const { body: created } = await test.post('/v1/conversations', { external_user_id: 'u', metadata: full })
    const { status, body } = await test.patch(`/v1/conversations/${created.id}`, { metadata: { more: 'v' } })
    assert.equal(status, 422)
    assert.partialDeepStrictEqual(body.errors, [{ pointer: '/metadata', code: 'too_long' }])
  })

  test('a closed conversation takes metadata and nothing else', async () => {
    const { test } = await api.world()
    const { id } = await conversationIn(test, 'closed')
    assert.equal((await test.patch(`/v1/conversations/${id}`, { metadata: { a: 'b' } })).status, 200)
    const { status, body } = await test.patch(`/v1/conversations/${id}`, {
      subject: 'Late',
      metadata: { c: 'd' },
    })
    assert.equal(status, 409)
    assert.equal(body.code, 'conversation_closed')
    assert.deepEqual((await test.get(`/v1/conversations/${id}`)).body.metadata, { a: 'b' })
  })
})
