import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { act, type Body, conversation, holdReason, say, shown, succeeded } from '@backline/test/desk.ts'
import { conversationsPath, someone, start } from '@backline/test/end-users.ts'
import { type Answer, type Client, service, type World } from '@backline/test/harness.ts'

const api = service()

const define = async (client: Client, key: string, required_on: string, more: object = {}): Promise<Body> =>
  succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'conversation', key, name: key, type: 'text', required_on },
      ...more,
    }),
  )
const refused = ({ status, body, text }: Answer, ...keys: string[]) => {
  assert.equal(status, 422, text)
  assert.deepEqual(
    body.errors.map(({ pointer, code }: Body) => [pointer, code]),
    keys.map((key) => [`/custom_fields/${key}`, 'required']),
  )
}
const patch = async (client: Client, id: string, custom_fields: object) =>
  succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields }))

describe('a field that resolving requires', () => {
  let world: World
  let client: Client
  before(async () => {
    world = await api.world()
    client = world.test
    await define(client, 'reason', 'resolve')
    await define(client, 'cause', 'resolve', { type: 'boolean' })
    await define(client, 'gone', 'resolve', { archived: true })
    await define(client, 'other', 'create', { archived: true })
    succeeded(await client.patch('/v1/workspace', { end_users_may_resolve: true }))
  })
  const filled = { reason: 'done', cause: false }

  const reply = { author_side: 'operator', body: 'Bye', set_status: 'resolved' }
  const applied = async (id: string, actions: object[]): Promise<Answer> => {
    const name = `${Math.random()}`
    const macro = succeeded(await client.post('/v1/macros', { name, actions }))
    return client.post(`/v1/macros/${macro.id}/apply`, { conversation_id: id })
  }

  /** The ways in which a person or a key resolves a conversation. */
  const ways: Record<string, (id: string) => Promise<Answer>> = {
    'the action': (id) => client.post(`/v1/conversations/${id}/resolve`, {}),
    'the action with a note': (id) => client.post(`/v1/conversations/${id}/resolve`, { note: 'Solved' }),
    'a message with set_status': (id) => client.post(`/v1/conversations/${id}/messages`, reply),
    'a macro with the action': (id) => applied(id, [{ type: 'resolve' }]),
    'a macro with a reply': (id) => applied(id, [{ type: 'reply', body: 'Bye', set_status: 'resolved' }]),
  }
  for (const [way, resolve] of Object.entries(ways))
    test(`holds for ${way}, and lets it pass with a value`, async () => {
      const { id } = await conversation(client)
      refused(await resolve(id), 'reason', 'cause')
      await patch(client, id, { cause: false })
      const answer = await resolve(id)
      refused(answer, 'reason')
      if (way.includes('macro')) assert.equal(answer.body.params.action_index, 0)
      assert.partialDeepStrictEqual(await shown(client, id), { status: 'new', message_count: 0 })
      await patch(client, id, filled)
      succeeded(await resolve(id))
      assert.equal((await shown(client, id)).status, 'resolved')
    })

  test('holds for the end user, who does not learn which values are missing', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const { status, body, text } = await grace.post(`${conversationsPath}/${id}/resolve`)
    assert.equal(status, 409, text)
    assert.equal(body.code, 'invalid_transition')
    assert.deepEqual(body.params, { from: 'open', action: 'resolve', allowed: [] })
    assert.doesNotMatch(text, /reason|cause|custom/)
    await patch(client, id, filled)
    assert.equal(succeeded(await grace.post(`${conversationsPath}/${id}/resolve`)).status, 'resolved')
  })

  test('holds for a message that follows up a closed conversation, and is to resolve it', async () => {
    const { id } = await conversation(client)
    await act(client, id, 'close')
    const follow = (fields: object) =>
      client.post(`/v1/conversations/${id}/messages`, {
        ...{ author_side: 'operator', body: 'Again', on_closed: 'follow_up' },
        ...fields,
      })
    refused(await follow({ set_status: 'resolved' }), 'reason', 'cause')
    succeeded(await follow({}))
  })

  test('is satisfied by a macro that sets it before it resolves, and not by one that sets it after', async () => {
    const set = (key: string, value: unknown) => ({ type: 'set_custom_field', key, value })
    const { id } = await conversation(client, { custom_fields: { cause: true } })
    const late = await applied(id, [{ type: 'resolve' }, set('reason', 'done')])
    refused(late, 'reason')
    assert.partialDeepStrictEqual(late.body.params, { action_index: 0, action_type: 'resolve' })
    const cleared = await applied(id, [set('reason', 'done'), set('cause', null), { type: 'resolve' }])
    refused(cleared, 'cause')
    assert.equal(cleared.body.params.action_index, 2)
    succeeded(await applied(id, [set('reason', 'done'), { type: 'resolve' }]))
    assert.partialDeepStrictEqual(await shown(client, id), {
      status: 'resolved',
      custom_fields: { cause: true, reason: 'done' },
    })
  })

  test('does not hold for what is no resolving: closing, and writing in a conversation that is resolved', async () => {
    const closed = await conversation(client)
    await act(client, closed.id, 'close')
    const { id } = await conversation(client, { custom_fields: filled })
    await act(client, id, 'resolve')
    await patch(client, id, { reason: null })
    await say(client, id, 'operator', { set_status: 'resolved' })
    await say(client, id, 'operator', { visibility: 'internal' })
    assert.equal((await shown(client, id)).status, 'resolved')
    await say(client, id, 'end_user')
    assert.equal((await shown(client, id)).status, 'open')
    refused(await ways['the action']!(id), 'reason')
  })

  test('does not stop work that falls due: a scheduled message, and a hold that resolves when it ends', async () => {
    const { test: own } = await api.world()
    await define(own, 'reason', 'resolve')
    const { now } = succeeded(await own.get('/v1/test_clock'))
    const send_at = new Date(Date.parse(now) + 60_000).toISOString()
    const [said, held] = [await conversation(own), await conversation(own)]
    await say(own, said.id, 'operator', { set_status: 'resolved', send_at })
    const hold_reason_id = await holdReason(own, { default_duration_seconds: 60, on_expiry: 'resolve' })
    await act(own, held.id, 'hold', { hold_reason_id })
    succeeded(await own.post('/v1/test_clock/advance', { seconds: 120 }))
    for (const { id } of [said, held])
      assert.partialDeepStrictEqual(await shown(own, id), { status: 'resolved', custom_fields: {} })
  })
})

describe('a field that new conversations require', () => {
  test('422 at its key without a value, together with all other faults; a null is no value', async () => {
    const { test: client } = await api.world()
    await define(client, 'reason', 'create')
    await define(client, 'size', 'create', { type: 'number' })
    await define(client, 'later', 'resolve')
    const create = (body: object) => client.post('/v1/conversations', { external_user_id: 'u', ...body })
    refused(await create({}), 'reason', 'size')
    const { body } = await create({
      category_id: 'cat_00000000000000000000000000',
      custom_fields: { size: 'x' },
    })
    assert.deepEqual(body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`).toSorted(), [
      '/category_id not_found',
      '/custom_fields/reason required',
      '/custom_fields/size wrong_type',
    ])
    refused(await create({ custom_fields: { reason: 'x', size: null } }), 'size')
    const made = succeeded(await create({ custom_fields: { reason: 'x', size: 0 } }))
    const emptied = await patch(client, made.id, { size: null })
    assert.deepEqual(emptied.custom_fields, { reason: 'x' }, 'it is required of new conversations alone')
  })

  test('422 also for a key that every object in JavaScript has', async () => {
    const { test: client } = await api.world()
    await define(client, 'constructor', 'create')
    await define(client, 'to_string', 'create')
    const create = (body: object) => client.post('/v1/conversations', { external_user_id: 'u', ...body })
    refused(await create({ custom_fields: { to_string: 'x' } }), 'constructor')
    succeeded(await create({ custom_fields: { to_string: 'x', constructor: 'y' } }))
  })

  test('follow-ups of closed conversations are made without it', async () => {
    const { test: client } = await api.world()
    const { id } = await conversation(client)
    await define(client, 'reason', 'create')
    await act(client, id, 'close')
    for (const author_side of ['operator', 'end_user']) {
      const { conversation_id } = await say(client, id, author_side, { on_closed: 'follow_up' })
      assert.notEqual(conversation_id, id)
      assert.deepEqual((await shown(client, conversation_id)).custom_fields, {})
    }
  })
})
