import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, operator, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'

const api = service()

test('with `include`, the ETag is of all that is shown, and If-Match takes the version in it', async () => {
  const { test: client } = await api.world()
  const assignee_id = await operator(client)
  const { id } = await conversation(client, { assignee_id })
  const path = `/v1/conversations/${id}?include=assignee`
  const tagOf = async () => (await client.get(path)).headers.get('etag')!
  const tag = await tagOf()
  assert.match(tag, /^"1-[\w-]{22}"$/)
  assert.equal((await client.get(path, { 'if-none-match': tag })).status, 304)
  succeeded(await client.patch(`/v1/operators/${assignee_id}`, { name: 'Grace' }))
  assert.notEqual(await tagOf(), tag)
  assert.equal((await client.get(path, { 'if-none-match': tag })).status, 200)
  const change = (subject: string) =>
    client.patch(`/v1/conversations/${id}`, { subject }, { 'if-match': tag })
  succeeded(await change('One'))
  assert.equal((await change('Two')).status, 412)
})
