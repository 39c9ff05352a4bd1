import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesOf } from '@backline/test/audit.ts'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { faultsOf } from '@backline/test/mailboxes.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()
const path = '/v1/email_suppressions'

const suppress = (client: Client, fields: object = {}) =>
  client.post(path, { address: 'ada@example.com', ...fields })
const suppression = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await suppress(client, fields))
const listed = async (client: Client, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`${path}?${query}`)).data
const later = (seconds: number) => new Date(api.now() + seconds * 1_000).toISOString()

/** The types of the events of suppressions, in order. */
const eventsIn = async ({ environments }: World): Promise<string[]> => {
  const rows = await api.db.rows<{ type: string; resource_id: string }>(
    sql`select type, resource_id from events where tenant_id = ${environments.test.tenantId}
      and type like ${'email_suppression.%'} order by epoch, events.position, ordinal`,
  )
  return rows.map(({ type, resource_id }) => `${typeId('sup', resource_id)} ${type.split('.')[1]}`)
}

test('an address is suppressed by hand and without an end by default, in its canonical form', async () => {
  const world = await api.world()
  const { test: client } = world
  const made = await suppression(client, { address: 'Ada@BÜCHER.example' })
  assert.partialDeepStrictEqual(made, {
    object: 'email_suppression',
    address: 'ada@xn--bcher-kva.example',
    reason: 'manual',
    message_id: null,
    expires_at: null,
    version: 1,
  })
  assert.match(made.id, /^sup_/)
  assert.deepEqual(succeeded(await client.get(`${path}/${made.id}`)), made)
  assert.equal((await client.delete(`${path}/${made.id}`)).status, 204)
  assert.equal((await client.get(`${path}/${made.id}`)).status, 404)
  assert.deepEqual(await eventsIn(world), [`${made.id} created`, `${made.id} deleted`])
})

test('reason, message and end are those of the request', async () => {
  const { test: client } = await api.world()
  const { id } = await conversation(client)
  const message = await say(client, id, 'operator')
  const given = { reason: 'bounce', message_id: message.id, expires_at: later(60) }
  assert.partialDeepStrictEqual(await suppression(client, given), given)
})

test('422 for a message of nowhere or of another environment, an end in the past and what is no address', async () => {
  const { test: client, live } = await api.world()
  const foreign = await say(live, (await conversation(live)).id, 'operator')
  const nowhere = typeId('msg', '01990000-0000-7000-8000-000000000000')
  for (const message_id of [nowhere, foreign.id])
    assert.deepEqual(faultsOf(await suppress(client, { message_id, expires_at: later(-1) })), [
      '/expires_at too_small',
      '/message_id not_found',
    ])
  assert.deepEqual(faultsOf(await suppress(client, { address: 'nobody' })), ['/address bad_format'])
  assert.deepEqual(await listed(client), [])
})

test('409 with the owner for an address that is suppressed, in any case; another environment has its own', async () => {
  const { test: client, live } = await api.world()
  const { id } = await suppression(client, { expires_at: later(60) })
  const { status, body } = await suppress(client, { address: 'ADA@Example.com' })
  assert.deepEqual([status, body.code, body.params], [409, 'already_exists', { id, field: 'address' }])
  await suppression(live)
})

test('one of ten that suppress an address at one time', async () => {
  const { test: client } = await api.world()
  const answers = await Promise.all(Array.from({ length: 10 }, () => suppress(client)))
  const [owner, ...others] = answers.filter(({ status }) => status === 201)
  assert.deepEqual(others, [])
  for (const { status, body } of answers.filter((each) => each !== owner))
    assert.deepEqual([status, body.params], [409, { id: owner!.body.id, field: 'address' }])
})

test('the list is filtered by address, regardless of case', async () => {
  const { test: client } = await api.world()
  const [first, second] = [await suppression(client), await suppression(client, { address: 'b@example.com' })]
  assert.deepEqual(await listed(client, 'address=ADA@example.com'), [first])
  assert.deepEqual(await listed(client, 'address=nobody@example.com'), [])
  assert.deepEqual(await listed(client), [second, first])
  assert.deepEqual(await listed(client, 'sort=created_at'), [first, second])
  assert.equal((await client.get(`${path}?address=nobody`)).status, 400)
})

describe('the end', () => {
  test('deletes a suppression with its event once the clock of the environment has reached it', async () => {
    const world = await api.world()
    const { test: client } = world
    const made = await suppression(client, { expires_at: later(3_600) })
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 1_800 }))
    assert.equal((await suppress(client)).status, 409)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 1_801 }))
    assert.deepEqual(await listed(client), [])
    const again = await suppression(client)
    assert.deepEqual(await eventsIn(world), [
      `${made.id} created`,
      `${made.id} deleted`,
      `${again.id} created`,
    ])
  })

  test('counts before its job has run: the next suppression of the address replaces it', async () => {
    const world = await api.world()
    const { test: client, environments } = world
    const made = await suppression(client, { expires_at: later(3_600) })
    await api.db.write(sql`update email_suppressions set expires_at = ${later(-1)}
      where tenant_id = ${environments.test.tenantId} and id = ${uuidOf('sup', made.id)}`)
    const again = await suppression(client, { reason: 'complaint' })
    assert.deepEqual(await listed(client), [again])
    assert.deepEqual(await eventsIn(world), [
      `${made.id} created`,
      `${made.id} deleted`,
      `${again.id} created`,
    ])
  })

  test('of a suppression that was deleted before does not end a later one', async () => {
    const { test: client } = await api.world()
    const made = await suppression(client, { expires_at: later(60) })
    assert.equal((await client.delete(`${path}/${made.id}`)).status, 204)
    const again = await suppression(client)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 120 }))
    assert.deepEqual(await listed(client), [again])
  })
})

test('the address of a person is in no audit entry', async () => {
  const { test: client } = await api.world()
  const made = await suppression(client, { reason: 'complaint' })
  assert.equal((await client.delete(`${path}/${made.id}`)).status, 204)
  const entries = await entriesOf(client, { target_id: made.id })
  assert.equal(entries.length, 2)
  assert.deepEqual(
    entries.map(({ changes }) => changes.reason),
    [
      { from: 'complaint', to: null },
      { from: null, to: 'complaint' },
    ],
  )
  assert.ok(!JSON.stringify(entries).includes('ada@example.com'))
})
