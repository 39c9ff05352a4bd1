import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'

const api = service()

const create = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(
    await client.post('/v1/sla_configs', { name: 'SLA', targets: [{ resolution_seconds: 3600 }], ...fields }),
  )

const retarget = async (client: Client, id: string, resolution_seconds: number): Promise<Body> =>
  succeeded(await client.patch(`/v1/sla_configs/${id}`, { targets: [{ resolution_seconds }] }))

const advance = async (client: Client, seconds: number): Promise<Body> =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const versionOf = async (client: Client, id: string): Promise<number> =>
  (await shown(client, id)).sla.sla_config_version

describe('conversations follow their config', () => {
  test('however many there are: some before the change is answered, the rest soon', async () => {
    const { test } = await api.world()
    const { id: configId } = await create(test)
    const many = 230
    const ids: string[] = []
    while (ids.length < many)
      ids.push(...(await Promise.all(Array.from({ length: 10 }, async () => (await conversation(test)).id))))
    await retarget(test, configId, 7200)
    assert.equal((await shown(test, ids[0]!)).sla.sla_config_version, 2)
    assert.equal((await shown(test, ids.at(-1)!)).sla.sla_config_version, 1)
    await advance(test, 1)
    const list = async (cursor = ''): Promise<Body[]> => {
      const { data, next_cursor } = succeeded(await test.get(`/v1/conversations?limit=100${cursor}`))
      return next_cursor ? [...data, ...(await list(`&cursor=${next_cursor}`))] : data
    }
    const all = await list()
    assert.equal(all.length, many)
    for (const { sla } of all)
      assert.partialDeepStrictEqual(sla, { sla_config_version: 2, resolution: { target_seconds: 7200 } })
  })

  test('also one that was written under the former terms while they were being replaced', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const { id: configId } = await create(test)
    const { id } = await conversation(test)
    await retarget(test, configId, 7200)
    assert.equal(await versionOf(test, id), 2)
    // The result of a slower process's statement.
    await api.db.write(sql`update conversations set sla_config_version = 1, sla_follows = 1
      where tenant_id = ${tenantId} and id = ${uuidOf('conv', id)}`)
    assert.equal(await versionOf(test, id), 1)
    await advance(test, 20)
    assert.equal(await versionOf(test, id), 2)
  })

  test('no time counts twice when they are taken along by a process whose clock is behind', async () => {
    const { live } = await api.world()
    const { id: configId } = await create(live)
    const { id } = await conversation(live)
    api.advance(100)
    await say(live, id, 'operator', { set_status: 'open' })
    api.advance(-50)
    await retarget(live, configId, 7200)
    api.advance(100)
    const explained = succeeded(await live.get(`/v1/conversations/${id}/sla`))
    for (const { resolution } of [(await shown(live, id)).sla, explained]) {
      assert.equal(resolution.target_seconds, 7200)
      assert.ok(resolution.elapsed_seconds < 190, `${resolution.elapsed_seconds} of 150`)
    }
  })

  test('what another process has changed holds for the next conversation', async () => {
    const { test, environments } = await api.world()
    const { tenantId } = environments.test
    const { id: first } = await create(test)
    const { id: second } = await create(test, { name: 'Another' })
    assert.equal((await conversation(test)).sla.sla_config_id, first)
    // The write of another process that affects the choice; this process has a stale cache.
    await api.db.write(sql`with g as (update sla_generations set generation = generation + 1 where tenant_id = ${tenantId})
      update sla_configs set archived = true where tenant_id = ${tenantId} and id = ${uuidOf('sla', first)}`)
    assert.equal((await conversation(test)).sla.sla_config_id, second)
  })

  test('a tag that went into another one is that one in conditions, too, from the next conversation on', async () => {
    const { test } = await api.world()
    await create(test, { conditions: { tags_any: ['refund'] } })
    assert.ok((await conversation(test, { tags: ['refund'] })).sla)
    const [refund] = succeeded(await test.get('/v1/tags')).data
    const into_id = succeeded(await test.post('/v1/tags', { name: 'money' })).id
    succeeded(await test.post(`/v1/tags/${refund.id}/merge`, { into_id }))
    assert.ok((await conversation(test, { tags: ['money'] })).sla)
    assert.ok((await conversation(test, { tags: ['refund'] })).sla)
  })
})
