import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

const endUser = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/end_users', fields))
const say = (client: Client, id: string, fields: object = {}) =>
  client.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', body: 'Hello', ...fields })

describe('participants', () => {
  test('write messages of their own, until they take part no more', async () => {
    const { test } = await api.world()
    const { id, end_user_id } = await conversation(test)
    const guest = await endUser(test)
    const refused = await say(test, id, { author_end_user_id: guest.id })
    assert.partialDeepStrictEqual(refused.body.errors, [
      { pointer: '/author_end_user_id', code: 'not_allowed' },
    ])
    const path = `/v1/conversations/${id}/participants/${guest.id}`
    const { version, participant_ids } = succeeded(await test.put(path))
    assert.deepEqual([participant_ids, version], [[guest.id], 2])
    assert.equal(succeeded(await test.put(path)).version, 2)
    assert.equal(
      succeeded(await say(test, id, { author_end_user_id: guest.id })).author_end_user_id,
      guest.id,
    )
    assert.equal(succeeded(await say(test, id)).author_end_user_id, end_user_id)
    assert.deepEqual(succeeded(await test.delete(path)).participant_ids, [])
    assert.equal((await say(test, id, { author_end_user_id: guest.id })).status, 422)
  })

  test('at most fifty', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const guests = await Promise.all(Array.from({ length: 51 }, () => endUser(test)))
    const answers = []
    for (const guest of guests)
      answers.push(await test.put(`/v1/conversations/${id}/participants/${guest.id}`))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array(50).fill(200), 422],
    )
  })

  test('leave the conversation readable when they are deleted', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const guest = await endUser(test)
    succeeded(await test.put(`/v1/conversations/${id}/participants/${guest.id}`))
    assert.equal((await test.delete(`/v1/end_users/${guest.id}`)).status, 204)
    assert.deepEqual(succeeded(await test.get(`/v1/conversations/${id}`)).participant_ids, [])
    assert.equal(succeeded(await test.get('/v1/conversations')).data.length, 1)
    succeeded(await say(test, id))
  })

  test('open no follow-up for a blocked end user', async () => {
    const { test } = await api.world()
    const { id, end_user_id } = await conversation(test)
    const guest = await endUser(test)
    succeeded(await test.put(`/v1/conversations/${id}/participants/${guest.id}`))
    await act(test, id, 'close')
    succeeded(await test.post(`/v1/end_users/${end_user_id}/block`))
    const { status, body } = await say(test, id, { author_end_user_id: guest.id, on_closed: 'follow_up' })
    assert.deepEqual([status, body.code], [403, 'end_user_blocked'])
  })
})

test('a blocked end user writes nothing, by whatever name, and operators still write', async () => {
  const { test } = await api.world()
  const { id, end_user_id } = await conversation(test, { external_user_id: 'mallory' })
  succeeded(await test.post(`/v1/end_users/${end_user_id}/block`, { reason: 'Spam' }))
  const attempts = [
    say(test, id),
    test.post('/v1/conversations', { external_user_id: 'mallory' }),
    test.post('/v1/conversations', { end_user_id }),
  ]
  for (const { status, body } of await Promise.all(attempts))
    assert.deepEqual([status, body.code], [403, 'end_user_blocked'])
  succeeded(await say(test, id, { author_side: 'operator' }))
  succeeded(await test.post('/v1/conversations', { end_user_id, initiated_by_side: 'operator' }))
  succeeded(await test.post(`/v1/end_users/${end_user_id}/unblock`))
  succeeded(await say(test, id))
})

test('a block ends by itself', async () => {
  const { test } = await api.world()
  const { id } = await endUser(test)
  const until = new Date(api.now() + 60_000).toISOString()
  const { block } = succeeded(await test.post(`/v1/end_users/${id}/block`, { until }))
  assert.equal(block.until, until)
  succeeded(await test.post('/v1/test_clock/advance', { seconds: 61 }))
  const { status } = succeeded(await test.get(`/v1/end_users/${id}`))
  assert.equal(status, 'active')
  const { data } = succeeded(await test.get('/v1/events?types=end_user.unblocked'))
  assert.deepEqual(
    data.map((event: Body) => [event.actor.type, event.created_at]),
    [['system', until]],
  )
})

test('included objects stand beside their ids, and need the scopes of their own routes', async () => {
  const world = await api.world()
  const { test } = world
  const company = succeeded(await test.post('/v1/companies', { name: 'Acme' }))
  const person = await endUser(test, { external_id: 'ada', name: 'Ada', company_ids: [company.id] })
  const made = await conversation(test, { external_user_id: 'ada', company_id: company.id })
  const path = `/v1/conversations/${made.id}?include=end_user,assignee,company`
  const { end_user, assignee, company: included, ...rest } = succeeded(await test.get(path))
  assert.deepEqual([end_user, assignee, included.id], [person, null, company.id])
  assert.deepEqual(rest, made)
  const [listed] = succeeded(await test.get('/v1/conversations?include=total,end_user')).data
  assert.equal(listed.end_user.name, 'Ada')
  const narrow = await world.withScopes('conversations:read')
  const refused = await narrow.get(path)
  assert.deepEqual([refused.status, refused.body.code], [403, 'scope_missing'])
  assert.equal((await narrow.get(`/v1/conversations/${made.id}`)).status, 200)
})
