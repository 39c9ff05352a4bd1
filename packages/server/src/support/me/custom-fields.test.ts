import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, shown, succeeded } from '@backline/test/desk.ts'
import { conversationsPath, plain, someone, start } from '@backline/test/end-users.ts'
import { type Answer, service } from '@backline/test/harness.ts'

const api = service()

/** An end user, in a workspace with a field of each access. */
async function withFields(applies_to: 'end_user' | 'conversation') {
  const world = await api.world()
  for (const access of ['none', 'read', 'write']) await define(access, { end_user_access: access })
  async function define(key: string, more: object): Promise<Body> {
    const field = { applies_to, key, name: key, type: 'text', ...more }
    return succeeded(await world.test.post('/v1/custom_fields', field))
  }
  return { world, define, grace: await someone(api, world) }
}

/** A refusal with the name that the request gave replaced. */
const nameless = (answer: Answer, key: string) =>
  JSON.parse(JSON.stringify(plain(answer)).replaceAll(new RegExp(`([/.])${key}\\b`, 'g'), '$1key'))

describe('the own profile', () => {
  test('shows the values of fields that end users may read or write, as they are at once', async () => {
    const { world, grace } = await withFields('end_user')
    const custom_fields = { none: 'a', read: 'b', write: 'c' }
    succeeded(await world.test.patch(`/v1/end_users/${grace.id}`, { custom_fields }))
    const seen = async () => succeeded(await grace.get('/v1/me')).custom_fields
    assert.deepEqual(await seen(), { read: 'b', write: 'c' })
    const { data } = succeeded(await world.test.get('/v1/custom_fields'))
    for (const { id, key } of data) {
      const end_user_access = key === 'none' ? 'read' : 'none'
      succeeded(await world.test.patch(`/v1/custom_fields/${id}`, { end_user_access }))
    }
    assert.deepEqual(await seen(), { none: 'a' })
  })

  test('takes values of fields that end users may write; any other key is as unknown as one that does not exist', async () => {
    const { world, grace } = await withFields('end_user')
    const custom_fields = { none: 'a', read: 'b' }
    succeeded(await world.test.patch(`/v1/end_users/${grace.id}`, { custom_fields }))
    const patch = (fields: unknown) => grace.patch('/v1/me', { custom_fields: fields })
    assert.deepEqual(succeeded(await patch({ write: 'mine' })).custom_fields, { read: 'b', write: 'mine' })
    const missing = nameless(await patch({ missing: 'x' }), 'missing')
    assert.deepEqual([missing.status, missing.errors[0].code], [422, 'unknown_field'])
    for (const key of ['none', 'read'])
      for (const value of ['x', 5, null, ['x']])
        assert.deepEqual(nameless(await patch({ [key]: value }), key), missing, `${key} ${value}`)
    const near = await patch({ nome: 'x', reads: 'x', writ: 'x' })
    assert.deepEqual(
      near.body.errors.map(({ detail }: Body) => detail),
      ['is not a custom field', 'is not a custom field', 'is not a custom field; did you mean write?'],
    )
    const wrong = await patch({ write: 5 })
    assert.partialDeepStrictEqual(wrong.body.errors, [
      { pointer: '/custom_fields/write', code: 'wrong_type' },
    ])
    succeeded(await patch(null))
    const { custom_fields: left } = succeeded(await world.test.get(`/v1/end_users/${grace.id}`))
    assert.deepEqual(left, custom_fields, 'null clears only what an end user may write')
  })
})

describe('an own new conversation', () => {
  test('takes values of fields that end users may write, and of no others', async () => {
    const { world, grace } = await withFields('conversation')
    const { id } = await start(grace, { custom_fields: { write: 'mine' } })
    assert.deepEqual((await shown(world.test, id)).custom_fields, { write: 'mine' })
    const begin = (key: string, value: unknown) =>
      grace.post(conversationsPath, { message: { body: 'x' }, custom_fields: { [key]: value } })
    const missing = nameless(await begin('missing', 'x'), 'missing')
    assert.equal(missing.errors[0].code, 'unknown_field')
    for (const key of ['none', 'read'])
      for (const value of ['x', 5, null])
        assert.deepEqual(nameless(await begin(key, value), key), missing, `${key} ${value}`)
  })

  test('needs values of the fields that new conversations require, if end users may write them', async () => {
    const { world, grace, define } = await withFields('conversation')
    for (const access of ['none', 'read', 'write'])
      await define(`${access}_needed`, { end_user_access: access, required_on: 'create' })
    const refused = await grace.post(conversationsPath, { message: { body: 'x' } })
    assert.equal(refused.status, 422)
    assert.deepEqual(
      refused.body.errors.map(({ pointer, code }: Body) => [pointer, code]),
      [['/custom_fields/write_needed', 'required']],
    )
    const { id } = await start(grace, { custom_fields: { write_needed: 'yes' } })
    assert.deepEqual((await shown(world.test, id)).custom_fields, { write_needed: 'yes' })
  })

  test('that follows up a closed one needs none of them', async () => {
    const { world, grace, define } = await withFields('conversation')
    const { id } = await start(grace)
    await define('needed', { end_user_access: 'write', required_on: 'create' })
    succeeded(await world.test.post(`/v1/conversations/${id}/close`))
    const answer = await grace.post(`${conversationsPath}/${id}/messages`, {
      ...{ body: 'Again', on_closed: 'follow_up' },
    })
    const { conversation_id } = succeeded(answer)
    assert.notEqual(conversation_id, id)
    assert.deepEqual((await shown(world.test, conversation_id)).custom_fields, {})
  })
})
