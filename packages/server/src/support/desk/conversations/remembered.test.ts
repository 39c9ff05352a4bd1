import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import { cleanUp, secondServer } from '@backline/test/processes.ts'
import { config } from '@backline/test/sla-fixtures.ts'

/*
 * A server remembers end users and custom fields for its next write. Another server changes them, and the next write
 * is decided upon what they are now: one that memory allows is not written, and one that memory refuses is.
 */

const api = service()
let otherUrl: string

/** A server that remembers an end user of a name, and another one. */
async function twoServers(name = 'ada'): Promise<{ here: Client; other: Client; user: Body }> {
  const world = await api.world()
  const other = clientOf(otherUrl, world.test.key)
  for (let i = 0; i < 2; i++) succeeded(await begin(world.test, name))
  const [user] = (await other.get(`/v1/end_users?external_id=${name}`)).body.data
  return { here: world.test, other, user }
}

const begin = (client: Client, external_user_id = 'ada', more: object = {}) =>
  client.post('/v1/conversations', { external_user_id, subject: 'Hello', ...more })

/** The number of transactions of the test file's database that were rolled back. */
async function rolledBack(): Promise<number> {
  const [row] = await api.db.rows<{ count: string }>(sql`/* test */
    select xact_rollback as count from pg_stat_database where datname = current_database()`)
  return Number(row!.count)
}

const field = (client: Client, key: string, more: object = {}) =>
  client.post('/v1/custom_fields', { applies_to: 'conversation', key, name: key, type: 'text', ...more })

describe('what another server has changed holds for the next write', () => {
  before(async () => {
    otherUrl = (await secondServer(api)).url
  })
  after(cleanUp)

  test('an end user who was blocked and unblocked', async () => {
    const { here, other, user } = await twoServers()
    for (let round = 0; round < 2; round++) {
      succeeded(await other.post(`/v1/end_users/${user.id}/block`, { reason: 'spam' }))
      const refused = await begin(here)
      assert.deepEqual([refused.status, refused.body.code], [403, 'end_user_blocked'])
      succeeded(await begin(here, 'ada', { initiated_by_side: 'operator' }))
      succeeded(await other.post(`/v1/end_users/${user.id}/unblock`, {}))
      assert.equal(succeeded(await begin(here)).end_user_id, user.id)
    }
  })

  test('an end user who was merged into another one', async () => {
    const { here, other, user } = await twoServers()
    const target = succeeded(await other.post('/v1/end_users', { external_id: 'lovelace' }))
    succeeded(await other.post(`/v1/end_users/${user.id}/merge`, { into_id: target.id, keep_alias: true }))
    assert.equal(succeeded(await begin(here)).end_user_id, target.id)
  })

  test('a custom field that is required, used, and archived', async () => {
    const { here, other } = await twoServers()
    const plan = succeeded(await field(other, 'plan', { required_on: 'create' }))
    const missing = await begin(here)
    assert.deepEqual([missing.status, missing.body.errors[0].pointer], [422, '/custom_fields/plan'])
    const made = succeeded(await begin(here, 'ada', { custom_fields: { plan: 'gold' } }))
    assert.equal(made.custom_fields.plan, 'gold')
    succeeded(await field(other, 'region'))
    succeeded(await begin(here, 'ada', { custom_fields: { plan: 'gold', region: 'eu' } }))
    succeeded(await other.patch(`/v1/custom_fields/${plan.id}`, { required_on: null }))
    succeeded(await begin(here))
  })

  test('a custom field that resolving requires, also for the preview of a macro, which writes nothing', async () => {
    const { here, other } = await twoServers()
    const { id } = succeeded(await begin(here))
    const macro = succeeded(await here.post('/v1/macros', { name: 'Done', actions: [{ type: 'resolve' }] }))
    const preview = () => here.post(`/v1/macros/${macro.id}/preview`, { conversation_id: id })
    assert.equal((await preview()).status, 200)
    succeeded(await field(other, 'cause', { required_on: 'resolve' }))
    assert.equal((await preview()).status, 422)
  })

  test('a block that is in effect refuses each of many conversations that begin at once', async () => {
    const { here, other, user } = await twoServers()
    for (let round = 0; round < 5; round++) {
      const meanwhile = Array.from({ length: 30 }, () => begin(here))
      succeeded(await other.post(`/v1/end_users/${user.id}/block`, {}))
      const later = await Promise.all(Array.from({ length: 10 }, () => begin(here)))
      assert.deepEqual(
        later.map(({ status }) => status),
        Array.from({ length: 10 }, () => 403),
      )
      for (const { status } of await Promise.all(meanwhile)) assert.ok(status === 201 || status === 403)
      succeeded(await other.post(`/v1/end_users/${user.id}/unblock`, {}))
    }
  })

  test('writes that were decided together upon what has changed are decided again together', async () => {
    const { here, other } = await twoServers()
    const { id } = await config(other)
    const creates = () => Promise.all(Array.from({ length: 60 }, () => begin(here)))
    const before = await rolledBack()
    for (let round = 0; round < 5; round++) {
      await creates()
      const target_seconds = 1_000_000 + round
      const targets = [{ resolution_seconds: target_seconds }]
      succeeded(await other.patch(`/v1/sla_configs/${id}`, { targets }))
      for (const created of await creates())
        assert.equal(succeeded(created).sla.resolution.target_seconds, target_seconds)
    }
    // A connection reports what it has rolled back with the first transaction that ends a second later.
    await sleep(1_100)
    await creates()
    assert.ok((await rolledBack()) - before < 5 * 30)
  })
})
