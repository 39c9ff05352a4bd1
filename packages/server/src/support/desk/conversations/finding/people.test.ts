import assert from 'node:assert/strict'
import { test } from 'node:test'
import { act, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'

const api = service()

/** The subjects of the conversations that meet a leaf, in the order of their creation. */
async function subjectsOf(client: Client, field: string, op: string, value: unknown): Promise<string[]> {
  const filter = encodeURIComponent(JSON.stringify({ field, op, value }))
  const { data } = succeeded(await client.get(`/v1/conversations?sort=created_at&filter=${filter}`))
  return data.map(({ subject }: { subject: string }) => subject)
}

const define = async (client: Client, applies_to: string, field: object) =>
  succeeded(await client.post('/v1/custom_fields', { applies_to, name: 'A field', ...field }))

test('fields of the end user and of the company are those of the present person, after merges', async () => {
  const { test: client } = await api.world()
  await define(client, 'end_user', { key: 'plan', type: 'text', indexed: true })
  await define(client, 'company', { key: 'size', type: 'number', indexed: true })
  const company = succeeded(await client.post('/v1/companies', { name: 'Acme', custom_fields: { size: 7 } }))
  const person = async (body: object) => succeeded(await client.post('/v1/end_users', body))
  const ada = await person({
    external_id: 'ada',
    emails: [{ address: 'Ada@Example.com' }],
    company_ids: [company.id],
    custom_fields: { plan: 'pro' },
  })
  const ben = await person({ external_id: 'ben' })
  await conversation(client, { external_user_id: 'ada', subject: 'a', company_id: company.id })
  await conversation(client, { external_user_id: 'ben', subject: 'b' })
  const of = (field: string, op: string, value: unknown) => subjectsOf(client, field, op, value)

  assert.deepEqual(await of('end_user.email', 'is', 'ada@example.COM'), ['a'])
  assert.deepEqual(await of('end_user.email', 'starts_with', 'ADA@'), ['a'])
  assert.deepEqual(await of('end_user.email', 'is_not', 'ada@example.com'), ['b'])
  assert.deepEqual(await of('end_user.email', 'exists', false), ['b'])
  assert.deepEqual(await of('end_user.custom_fields.plan', 'is', 'pro'), ['a'])
  assert.deepEqual(await of('end_user.custom_fields.plan', 'exists', false), ['b'])
  assert.deepEqual(await of('company.custom_fields.size', 'gte', 7), ['a'])
  assert.deepEqual(await of('company_id', 'is', company.id), ['a'])
  assert.deepEqual(await of('end_user.verified', 'is', true), [])
  assert.deepEqual(await of('end_user.verified', 'is', false), ['a', 'b'])

  const merge = { into_id: ada.id, keep_alias: true }
  succeeded(await client.post(`/v1/end_users/${ben.id}/merge`, merge))
  assert.deepEqual(await of('end_user.email', 'is', 'ada@example.com'), ['a', 'b'])
  assert.deepEqual(await of('end_user.custom_fields.plan', 'in', ['pro']), ['a', 'b'])
  for (const id of [ada.id, ben.id]) assert.deepEqual(await of('end_user_id', 'is', id), ['a', 'b'])
  for (const id of ['ada', 'ben']) assert.deepEqual(await of('external_user_id', 'is', id), ['a', 'b'])
  assert.deepEqual(await of('external_user_id', 'not_in', ['ada']), [])
})

test('a tag is found by its name and by those of tags that were merged into it', async () => {
  const { test: client } = await api.world()
  await conversation(client, { subject: 'a', tags: ['Refund'] })
  await conversation(client, { subject: 'b', tags: ['money back'] })
  const { data } = succeeded(await client.get('/v1/tags'))
  const idOf = (name: string) => data.find((tag: { name: string }) => tag.name === name).id
  succeeded(await client.post(`/v1/tags/${idOf('money back')}/merge`, { into_id: idOf('Refund') }))
  for (const name of ['refund', 'MONEY BACK'])
    assert.deepEqual(await subjectsOf(client, 'tags', 'contains', name), ['a', 'b'])
})

test('the worst clock is the status of the SLA, and its due time that of a running clock', async () => {
  const { test: client } = await api.world()
  const hour = 3_600
  const targets = [{ first_response_seconds: hour, resolution_seconds: 2 * hour }]
  succeeded(await client.post('/v1/sla_configs', { name: 'Standard', targets }))
  const { id } = await conversation(client, { subject: 'a' })
  const of = (field: string, op: string, value: unknown) => subjectsOf(client, field, op, value)
  assert.deepEqual(await of('sla.status', 'is', 'running'), ['a'])
  assert.deepEqual(await of('sla.due_at', 'within', 'PT61M'), ['a'])
  assert.deepEqual(await of('sla.due_at', 'within', 'PT59M'), [])
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 90 * 60 }))
  assert.deepEqual(await of('sla.status', 'is', 'breached'), ['a'])
  assert.deepEqual(await of('sla.due_at', 'within', 'PT29M'), [])
  assert.deepEqual(await of('sla.due_at', 'within', 'PT31M'), ['a'], 'the other clock still runs')
  await act(client, id, 'resolve')
  assert.deepEqual(await of('sla.status', 'in', ['breached']), ['a'])
  assert.deepEqual(await of('sla.due_at', 'exists', true), [])
})

test('a tag is found by its own name in any script, and by each name that is the same', async () => {
  const { test: client } = await api.world()
  const names = { ΟΔΟΣ: 'οδος', İzmir: 'İZMIR', Straße: 'STRASSE', ｆｕｌｌ: 'full' }
  for (const [name, same] of Object.entries(names)) {
    await conversation(client, { subject: name, tags: [name] })
    for (const asked of [name, same])
      assert.deepEqual(await subjectsOf(client, 'tags', 'contains', asked), [name], asked)
  }
  assert.equal((await subjectsOf(client, 'tags', 'exists', true)).length, 4)
})

test('contains finds a text whatever the case of its letters', async () => {
  const { test: client } = await api.world()
  for (const subject of ['ΟΔΟΣ 7', 'Οδοσ 7', 'İzmir', 'ÄRGER']) await conversation(client, { subject })
  const found = (value: string) => subjectsOf(client, 'subject', 'contains', value)
  for (const value of ['οδος', 'ΟΔΟΣ', 'οδοσ']) assert.deepEqual(await found(value), ['ΟΔΟΣ 7', 'Οδοσ 7'])
  for (const value of ['izmir', 'İZMIR']) assert.deepEqual(await found(value), ['İzmir'])
  assert.deepEqual(await found('ärger'), ['ÄRGER'])
})
