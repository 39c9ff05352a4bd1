import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service()

test('custom fields of the conversation and the end user are there by their keys, and miss without a value', async () => {
  const { test: client } = await api.world()
  const define = async (applies_to: string, key: string, type: string, more: object = {}) =>
    succeeded(await client.post('/v1/custom_fields', { applies_to, key, type, name: key, ...more }))
  await define('conversation', 'seats', 'number')
  await define('conversation', 'urgent', 'boolean')
  await define('conversation', 'areas', 'multi_select', { options: [{ value: 'a' }, { value: 'b' }] })
  await define('end_user', 'plan', 'text')
  const { id, end_user_id } = await conversation(client, {
    custom_fields: { seats: 0, urgent: false, areas: ['a', 'b'] },
  })
  succeeded(await client.patch(`/v1/end_users/${end_user_id}`, { custom_fields: { plan: 'pro' } }))
  let made = 0
  const render = async (body: string) => {
    const name = `Template ${++made}`
    const template = succeeded(await client.post('/v1/message_templates', { name, body }))
    return client.post(`/v1/message_templates/${template.id}/render`, { conversation_id: id })
  }
  const text =
    '{{ conversation.custom_fields.seats }} {{ conversation.custom_fields.urgent }} {{ conversation.custom_fields.areas | join: "+" }} {{ end_user.custom_fields.plan }}'
  assert.equal(succeeded(await render(text)).body, '0 false a+b pro')
  succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields: { seats: null } }))
  const { status, body } = await render(`${text} {{ end_user.custom_fields.other }}`)
  assert.deepEqual([status, body.code], [422, 'template_variable_missing'])
  assert.deepEqual(body.params.variables, [
    'conversation.custom_fields.seats',
    'end_user.custom_fields.other',
  ])
  const replaced = await render('{{ conversation.custom_fields.seats | default: "none" }}')
  assert.equal(succeeded(replaced).body, 'none')
})
