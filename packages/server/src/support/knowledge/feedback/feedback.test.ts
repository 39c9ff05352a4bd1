import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { made } from '@backline/test/macro-fixtures.ts'

const api = service()

const faq = (client: Client): Promise<Body> => made(client, 'faqs', { question: 'Why?', answer: 'Because' })
const endUser = (client: Client, fields: object = {}): Promise<Body> => made(client, 'end_users', fields)
const feedback = (client: Client, { id }: Body, body: object) => client.post(`/v1/faqs/${id}/feedback`, body)
const counts = ({ helpful_count, unhelpful_count }: Body) => [helpful_count, unhelpful_count]

/** The counters after a vote, which a read shows as well. */
async function voted(client: Client, subject: Body, helpful: boolean, person: object): Promise<number[]> {
  const told = counts(succeeded(await feedback(client, subject, { helpful, ...person })))
  assert.deepEqual(counts(succeeded(await client.get(`/v1/faqs/${subject.id}`))), told)
  return told
}

const faultsOf = ({ status, body, text }: Answer) => {
  assert.equal(status, 422, text)
  return body.errors.map(({ pointer, code }: Body) => `${pointer} ${code}`)
}

test('an end user has one vote, by its own id and by that of the client', async () => {
  const { test } = await api.world()
  const subject = await faq(test)
  const { id: end_user_id } = await endUser(test, { external_id: 'ada' })
  assert.deepEqual(await voted(test, subject, true, { end_user_id }), [1, 0])
  assert.deepEqual(await voted(test, subject, true, { external_user_id: 'ada' }), [1, 0])
  assert.deepEqual(await voted(test, subject, false, { external_user_id: 'ada' }), [0, 1])
  assert.deepEqual(await voted(test, subject, true, { end_user_id }), [1, 0])
})

test('a vote from before the end user existed, or had an external id, is the same vote', async () => {
  const { test } = await api.world()
  const subject = await faq(test)
  assert.deepEqual(await voted(test, subject, true, { external_user_id: 'ada' }), [1, 0])
  assert.equal((await test.get('/v1/end_users')).body.data.length, 0)
  const { id: ada } = await endUser(test, { external_id: 'ada' })
  assert.deepEqual(await voted(test, subject, false, { end_user_id: ada }), [0, 1])
  const { id: visitor } = await endUser(test)
  assert.deepEqual(await voted(test, subject, true, { end_user_id: visitor }), [1, 1])
  succeeded(await test.patch(`/v1/end_users/${visitor}`, { external_id: 'bob' }))
  assert.deepEqual(await voted(test, subject, false, { external_user_id: 'bob' }), [0, 2])
  assert.deepEqual(await voted(test, subject, true, { end_user_id: visitor }), [1, 1])
})

test('end users that are merged have one vote, once one of them votes again', async () => {
  const { test } = await api.world()
  const subject = await faq(test)
  const [into, alias, visitor] = [
    await endUser(test, { external_id: 'ada' }),
    await endUser(test, { external_id: 'ada-2' }),
    await endUser(test),
  ]
  for (const [{ id: end_user_id }, helpful] of [
    [into, true],
    [alias, false],
    [visitor, false],
  ])
    await voted(test, subject, helpful, { end_user_id })
  const other = await endUser(test)
  assert.deepEqual(await voted(test, subject, false, { end_user_id: other.id }), [1, 3])
  for (const { id } of [alias, visitor])
    succeeded(await test.post(`/v1/end_users/${id}/merge`, { into_id: into.id, keep_alias: true }))
  assert.deepEqual(await voted(test, subject, true, { end_user_id: visitor.id }), [1, 1])
  assert.deepEqual(await voted(test, subject, false, { external_user_id: 'ada-2' }), [0, 2])
  assert.deepEqual(await voted(test, subject, true, { external_user_id: 'ada' }), [1, 1])
})

test('many votes of one person at once, by both ids, count once', async () => {
  const { test } = await api.world()
  const subject = await faq(test)
  const { id: end_user_id } = await endUser(test, { external_id: 'ada' })
  const names = [{ end_user_id }, { external_user_id: 'ada' }]
  const votes = Array.from({ length: 20 }, (_, i) =>
    feedback(test, subject, { helpful: i % 3 === 0, ...names[i % 2] }),
  )
  for (const answer of await Promise.all(votes)) succeeded(answer)
  const [helpful, unhelpful] = counts(succeeded(await test.get(`/v1/faqs/${subject.id}`)))
  assert.equal(helpful + unhelpful, 1)
})

test('422 for none or both of the ids, and for an end user that does not exist here', async () => {
  const { test, live } = await api.world()
  const subject = await faq(test)
  const refused = async (person: object) =>
    faultsOf(await feedback(test, subject, { helpful: true, ...person }))
  const { id } = await endUser(test)
  const { id: foreign } = await endUser(live)
  assert.deepEqual(await refused({}), ['/external_user_id required'])
  assert.deepEqual(await refused({ external_user_id: 'ada', end_user_id: id }), ['/end_user_id not_allowed'])
  assert.deepEqual(await refused({ end_user_id: foreign }), ['/end_user_id not_found'])
  assert.deepEqual(faultsOf(await feedback(test, subject, { helpful: 1 })), [
    '/helpful wrong_type',
    '/external_user_id required',
  ])
})
