import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service({})
const path = '/v1/message_templates'

test('a text that was written from a template is sent as it is, also once the template is archived', async () => {
  const { test: client } = await api.world()
  const { id } = await conversation(client)
  const fields = { name: 'Hello', body: 'Hello {{ nobody }}' }
  const template = succeeded(await client.post(path, fields))
  const send = (given: object) =>
    client.post(`/v1/conversations/${id}/messages`, {
      ...{ author_side: 'operator', template_id: template.id },
      ...given,
    })
  assert.equal((await client.patch(`${path}/${template.id}`, { archived: true })).status, 200)
  const { status, body } = await send({ body: '**Hello**', body_format: 'markdown' })
  assert.deepEqual([status, body.body, body.body_format], [201, '**Hello**', 'markdown'])
  assert.equal((await client.get(`${path}/${template.id}`)).body.usage_count, 1)
  const faultsOf = async (given: object) =>
    (await send(given)).body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [
      pointer,
      code,
    ])
  assert.deepEqual(await faultsOf({ body: '' }), [['/body', 'too_short']])
  assert.deepEqual(await faultsOf({ body: 'x', variables: { nobody: 'Ada' } }), [
    ['/variables', 'not_allowed'],
  ])
  assert.deepEqual(await faultsOf({ body_format: 'text' }), [['/body_format', 'not_allowed']])
  assert.deepEqual(await faultsOf({}), [['/template_id', 'not_allowed']])
})
