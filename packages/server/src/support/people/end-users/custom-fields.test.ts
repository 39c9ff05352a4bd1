import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, service } from '@backline/test/harness.ts'

const api = service()

const faultsOf = ({ status, body }: Answer) => {
  assert.equal(status, 422, JSON.stringify(body))
  return body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)
}

async function withFields() {
  const { test } = await api.world()
  const define = async (key: string, body: object = {}) =>
    succeeded(
      await test.post('/v1/custom_fields', {
        ...{ applies_to: 'end_user', key, name: key, type: 'text' },
        ...body,
      }),
    )
  await define('plan')
  await define('seats', { type: 'number', end_user_access: 'none' })
  await define('tier', { applies_to: 'company' })
  return test
}

test('end users take values on create, and a patch and an upsert change them key by key', async () => {
  const client = await withFields()
  const { id, custom_fields } = succeeded(
    await client.post('/v1/end_users', { custom_fields: { seats: 3, plan: 'pro' } }),
  )
  assert.deepEqual(custom_fields, { plan: 'pro', seats: 3 })
  const patch = async (fields: unknown) =>
    succeeded(await client.patch(`/v1/end_users/${id}`, { custom_fields: fields }))
  assert.deepEqual((await patch({ seats: 4 })).custom_fields, { plan: 'pro', seats: 4 })
  assert.equal((await patch({ seats: 4, plan: 'pro' })).version, 2, 'the same values are no change')
  assert.deepEqual((await patch({ plan: null })).custom_fields, { seats: 4 })
  assert.deepEqual((await patch(null)).custom_fields, {})
  const upsert = (fields: object) =>
    client.put('/v1/end_users/external/crm-1', { name: 'Grace', custom_fields: fields })
  const made = await upsert({ plan: 'free', seats: null })
  assert.deepEqual([made.status, made.body.custom_fields], [201, { plan: 'free' }])
  const changed = await upsert({ seats: 1 })
  assert.deepEqual([changed.status, changed.body.custom_fields], [200, { plan: 'free', seats: 1 }])
  const { data } = succeeded(await client.get('/v1/end_users?sort=created_at'))
  assert.deepEqual(
    data.map((each: Body) => each.custom_fields),
    [{}, { plan: 'free', seats: 1 }],
  )
})

test('unknown fields, those of other objects and wrong values are faults, told all at once', async () => {
  const client = await withFields()
  const { id } = succeeded(await client.post('/v1/end_users', {}))
  const body = {
    company_ids: ['co_01kah1vgm0e1tbm5ye8n2m9q7c'],
    custom_fields: { tier: 'x', plans: 'x', seats: '1' },
  }
  const faults = [
    '/company_ids/0 not_found',
    '/custom_fields/tier unknown_field',
    '/custom_fields/plans unknown_field',
    '/custom_fields/seats wrong_type',
  ]
  const answers = [
    await client.post('/v1/end_users', body),
    await client.put('/v1/end_users/external/x', body),
    await client.patch(`/v1/end_users/${id}`, body),
  ]
  for (const answer of answers) {
    assert.deepEqual(
      faultsOf(answer).map((each: string) => each.replace('not_allowed', 'bad_format')),
      faults,
    )
    assert.match(answer.body.errors[2].detail, /did you mean plan\?/)
  }
})
