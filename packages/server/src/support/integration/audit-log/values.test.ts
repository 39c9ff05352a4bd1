import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const entriesOf = async (client: Client, id: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/audit_log?target_id=${id}&sort=commit`)).data
const given = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, to]) => [name, { from: null, to }]))

test('the entry of a new key has its scopes, expiry and networks, and not its secret', async () => {
  const { test: client } = await api.world()
  const asked = {
    name: 'Reports',
    scopes: ['conversations:read'],
    expires_at: '2099-01-01T00:00:00.000Z',
    allowed_cidrs: ['203.0.113.0/24'],
  }
  const { id, secret } = succeeded(await client.post('/v1/api_keys', asked))
  const [{ changes }] = (await entriesOf(client, id)) as [Body]
  assert.partialDeepStrictEqual(changes, given(asked))
  assert.ok(!JSON.stringify(changes).includes(secret))
})

test('the entries of a webhook endpoint have its URL and event types, and no secret or header', async () => {
  const { test: client } = await api.world()
  const asked = { url: 'https://hooks.example.com/backline', enabled_events: ['conversation.*'] }
  const { id, secret } = succeeded(
    await client.post('/v1/webhook_endpoints', { ...asked, headers: { 'x-token': 'not-to-be-shown' } }),
  )
  assert.equal((await client.delete(`/v1/webhook_endpoints/${id}`)).status, 204)
  const [made, gone] = (await entriesOf(client, id)) as [Body, Body]
  assert.partialDeepStrictEqual(made.changes, given(asked))
  for (const [field, to] of Object.entries(asked))
    assert.deepEqual(gone.changes[field], { from: to, to: null })
  for (const text of [secret, 'not-to-be-shown']) assert.ok(!JSON.stringify([made, gone]).includes(text))
})

test('texts of people are in no entry of what they came with', async () => {
  const { test: client } = await api.world()
  const words = ['Zacharias', 'zach@example.com', 'Mumbled words', 'Whispered', 'secretly', 'user-of-words']
  const [name, address, subject, body, note, external_user_id] = words as [string, ...string[]]
  const person = succeeded(
    await client.post('/v1/end_users', { name, emails: [{ address }], language: 'de', metadata: { note } }),
  )
  const { id } = await conversation(client, {
    external_user_id,
    subject,
    priority: 'high',
    metadata: { note },
  })
  const message = await say(client, id, 'end_user', { body, metadata: { note } })
  const entries = []
  for (const each of [person.id, id, message.id]) entries.push(...(await entriesOf(client, each)))
  const byAction = Object.fromEntries(entries.map(({ action, changes }) => [action, changes]))
  assert.deepEqual(byAction['end_user.created'].language, { from: null, to: 'de' })
  assert.deepEqual(byAction['conversation.created'].priority, { from: null, to: 'high' })
  assert.deepEqual(byAction['message.created'].author_side, { from: null, to: 'end_user' })
  for (const word of words) assert.ok(!JSON.stringify(entries).includes(word!), word)
})

test('entries from before the values were recorded show none, as when they were sealed', async () => {
  const world: World = await api.world()
  const { test: client, environments } = world
  const { id } = succeeded(await client.post('/v1/tags', { name: 'Former' }))
  await api.db.write(sql`update events set audited = null
    where tenant_id = ${environments.test.tenantId} and resource_id = ${uuidOf('tag', id)}`)
  assert.equal((await client.delete(`/v1/tags/${id}`)).status, 204)
  const [made, gone] = (await entriesOf(client, id)) as [Body, Body]
  assert.deepEqual(made.changes, {})
  assert.deepEqual(gone.changes.name, { from: 'Former', to: null })
})
