import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { versionOf } from '@backline/server/platform/versions/version.ts'
import { type Client, service } from '../harness.ts'
import { v2 } from './v2-example.ts'

describe('a second version', () => {
  const server = service({
    versions: (resources) => [
      { prefix: '/v1', resources },
      { prefix: '/v2', resources: versionOf(resources, v2) },
    ],
  })
  let client: Client

  before(async () => {
    client = (await server.world()).test
  })

  test('v1 shows what v2 created', async () => {
    const created = await client.post('/v2/conversations', {
      external_user_id: 'ada',
      title: 'Card declined',
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.title, 'Card declined')
    assert.ok(!('subject' in created.body))
    assert.equal(created.headers.get('location'), `/v2/conversations/${created.body.id}`)
    const { title, ...rest } = created.body
    const older = await client.get(`/v1/conversations/${created.body.id}`)
    assert.deepEqual(older.body, { ...rest, subject: title })
    const list = await client.get('/v2/conversations?external_user_id=ada')
    assert.deepEqual(list.body.data, [created.body])
  })

  test('the document of v2 shows the new field and not the old one', async () => {
    const { schemas } = (await client.get('/v2/openapi.json')).body.components
    for (const name of ['Conversation', 'CreateConversationBody', 'UpdateConversationBody'])
      assert.deepEqual(
        Object.keys(schemas[name].properties).filter((field) => ['title', 'subject'].includes(field)),
        ['title'],
      )
  })
})
