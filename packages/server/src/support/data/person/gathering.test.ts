import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { type Family, gatherPerson } from '@backline/server/support/data/person/gathering.ts'
import { type Body, say, succeeded } from '@backline/test/desk.ts'
import { sessionOf, start, write } from '@backline/test/end-users.ts'
import { file } from '@backline/test/files.ts'
import { service } from '@backline/test/harness.ts'
import { arrive, mailbox } from '@backline/test/mails.ts'

const api = service()
const mails = service({ works: true })

test('the data of a person has all that the person said or can see, and no note of the team', async () => {
  const world = await api.world()
  const { test, environments } = world
  const company = succeeded(await test.post('/v1/companies', { name: 'Analytical Engines' }))
  const eu = succeeded(
    await test.post('/v1/end_users', { external_id: 'ada', name: 'Ada', company_ids: [company.id] }),
  )
  const alias = succeeded(await test.post('/v1/end_users', { name: 'A. L.' }))
  const early = succeeded(await test.post('/v1/conversations', { end_user_id: alias.id }))
  succeeded(await test.post(`/v1/end_users/${alias.id}/merge`, { into_id: eu.id }))
  const page = await sessionOf(api, world, eu.id)
  const attached = await file(api, page, { path: '/v1/me/files' })
  const { id } = await start(page, {
    message: { body: 'It is late.', attachments: [{ file_id: attached.id }] },
  })
  await say(test, id, 'operator', { body: 'We are sorry.' })
  await say(test, id, 'operator', { body: 'She is right.', visibility: 'internal' })
  const other = succeeded(await test.post('/v1/conversations', { external_user_id: 'charles' }))
  await say(test, other.id, 'end_user', { body: 'Mine is late, too.' })
  succeeded(await test.put(`/v1/conversations/${other.id}/participants/${eu.id}`))
  await write(page, other.id, { body: 'I wait as well.' })
  succeeded(await test.delete(`/v1/conversations/${other.id}/participants/${eu.id}`))

  const found = new Map<Family, Body[]>()
  for await (const { family, rows } of gatherPerson(api.context(environments.test), uuidOf('eu', eu.id)!))
    found.set(family, [...(found.get(family) ?? []), ...rows.map((row) => JSON.parse(row))])
  const of = (family: Family, member: string) => (found.get(family) ?? []).map((row) => row[member]).sort()
  assert.deepEqual(of('end_users', 'id'), [eu.id, alias.id].sort())
  assert.deepEqual(of('companies', 'name'), ['Analytical Engines'])
  assert.deepEqual(of('conversations', 'id'), [early.id, id].sort())
  assert.deepEqual(of('messages', 'body'), ['I wait as well.', 'It is late.', 'We are sorry.'])
  assert.deepEqual(of('files', 'id'), [attached.id])
  assert.equal(of('end_user_sessions', 'id').length, 1)
  assert.equal(
    found.get('messages')!.every((row) => row.object === 'message'),
    true,
  )
})

test('the data of a person has the mails that the person sent, with their texts', async () => {
  const { test, environments } = await mails.world()
  const { address: to } = await mailbox(test)
  const sent = await arrive(test, { to, body: 'It is late.' })
  await arrive(test, { to, from: 'Grace <grace@example.net>', body: 'Mine, too.' })
  const found = new Map<Family, Body[]>()
  const endUserId = uuidOf('eu', sent.end_user_id)!
  for await (const { family, rows } of gatherPerson(mails.context(environments.test), endUserId))
    found.set(family, [...(found.get(family) ?? []), ...rows.map((row) => JSON.parse(row))])
  assert.deepEqual(
    found.get('inbound_emails')!.map(({ id, subject }) => [id, subject]),
    [[sent.id, 'Card declined']],
  )
  const [contents, ...others] = found.get('email_contents')!
  assert.deepEqual([contents.message_id, contents.text.trim(), others], [sent.message_id, 'It is late.', []])
})
