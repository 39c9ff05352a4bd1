import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Body } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service()
const created = (response: { status: number; body: Body }) => {
  assert.equal(response.status, 201, JSON.stringify(response.body))
  return response.body
}

test('a conversation creates the end user whom it names, once, and shows both ids', async () => {
  const { test } = await api.world()
  const first = created(await test.post('/v1/conversations', { external_user_id: 'ada' }))
  const second = created(await test.post('/v1/conversations', { external_user_id: 'ada' }))
  assert.equal(first.external_user_id, 'ada')
  assert.match(first.end_user_id, /^eu_/)
  assert.equal(second.end_user_id, first.end_user_id)
  const { body: endUser } = await test.get(`/v1/end_users/${first.end_user_id}`)
  assert.equal(endUser.external_id, 'ada')
  const { body: events } = await test.get('/v1/events?types=end_user.*')
  assert.deepEqual(
    events.data.map((event: Body) => [event.type, event.data?.object?.id ?? event.resource.id]),
    [['end_user.created', endUser.id]],
  )
  for (const filter of ['external_user_id=ada', `end_user_id=${endUser.id}`]) {
    const { body } = await test.get(`/v1/conversations?${filter}`)
    assert.equal(body.data.length, 2)
  }
})

test('after a merge the conversations of both belong to the target', async () => {
  const { test } = await api.world()
  const visitor = created(
    await test.post('/v1/end_users', { name: 'Visitor', emails: [{ address: 'A@example.com' }] }),
  )
  const known = created(await test.post('/v1/end_users', { external_id: 'ada' }))
  const one = created(await test.post('/v1/conversations', { end_user_id: visitor.id }))
  const two = created(await test.post('/v1/conversations', { external_user_id: 'ada' }))
  const dry = await test.post(`/v1/end_users/${visitor.id}/merge`, { into_id: known.id, dry_run: true })
  const merged = await test.post(`/v1/end_users/${visitor.id}/merge`, { into_id: known.id })
  assert.equal(merged.status, 200)
  assert.deepEqual(
    [dry.body.taken, dry.body.moved_conversations],
    [merged.body.taken, merged.body.moved_conversations],
  )
  assert.equal(merged.body.moved_conversations, 1)
  const { body } = await test.get('/v1/conversations?external_user_id=ada&sort=created_at')
  assert.deepEqual(
    body.data.map(({ id }: Body) => id),
    [one.id, two.id],
  )
  assert.deepEqual(
    body.data.map((row: Body) => [row.end_user_id, row.external_user_id]),
    [
      [known.id, 'ada'],
      [known.id, 'ada'],
    ],
  )
  const source = (await test.get(`/v1/end_users/${visitor.id}`)).body
  assert.deepEqual([source.status, source.merged_into_id], ['merged', known.id])
  const refused = await test.post('/v1/conversations', { end_user_id: visitor.id })
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.params],
    [409, 'identity_conflict', { reason: 'merged' }],
  )
})

test('null clears a list in a PATCH, and a list without the field stays', async () => {
  const { test } = await api.world()
  const phones = ['+4930123456']
  const { id } = created(await test.post('/v1/end_users', { phones, emails: [{ address: 'a@example.com' }] }))
  const { body } = await test.patch(`/v1/end_users/${id}`, { emails: null, company_ids: null })
  assert.deepEqual([body.emails, body.phones, body.company_ids], [[], phones, []])
})

test('a cached conversation shows what becomes of its end user at once', async () => {
  const { test } = await api.world()
  const visitor = created(await test.post('/v1/end_users', {}))
  created(await test.post('/v1/conversations', { end_user_id: visitor.id }))
  const listed = async () => (await test.get('/v1/conversations')).body.data[0]
  assert.equal((await listed()).external_user_id, null)
  assert.equal((await test.patch(`/v1/end_users/${visitor.id}`, { external_id: 'ada' })).status, 200)
  assert.equal((await listed()).external_user_id, 'ada')
  const target = created(await test.post('/v1/end_users', { external_id: 'grace' }))
  await test.post(`/v1/end_users/${visitor.id}/merge`, { into_id: target.id, keep_alias: true })
  const after = await listed()
  assert.deepEqual([after.end_user_id, after.external_user_id], [target.id, 'grace'])
})
