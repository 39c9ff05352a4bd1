import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { linkSome } from './link.ts'

const api = service({})

test('conversations from before end users get them in batches, and are found by them meanwhile', async () => {
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  const made: Body[] = []
  for (let i = 0; i < 10; i++) made.push(await conversation(test, { external_user_id: `user_${i % 4}` }))
  const [known] = made
  await api.db.write(
    sql`update conversations set external_user_id = e.external_id, end_user_id = null
      from end_users e where conversations.tenant_id = ${tenantId} and e.tenant_id = ${tenantId} and e.id = conversations.end_user_id`,
    sql`delete from end_users where tenant_id = ${tenantId} and external_id <> 'user_0'`,
  )
  const listed = async (filter: string): Promise<Body[]> =>
    succeeded(await test.get(`/v1/conversations?${filter}&sort=created_at`)).data
  const before = succeeded(await test.get(`/v1/conversations/${made[1]!.id}`))
  assert.deepEqual([before.external_user_id, before.end_user_id], ['user_1', null])
  assert.deepEqual(
    (await listed('external_user_id=user_1')).map(({ id }) => id),
    [1, 5, 9].map((i) => made[i]!.id),
  )
  const leaf = (field: string, op: string, value: unknown) =>
    `filter=${encodeURIComponent(JSON.stringify({ field, op, value }))}`
  for (const query of [
    leaf('external_user_id', 'is', 'user_1'),
    `external_user_id=user_1&${leaf('subject', 'exists', false)}`,
    `${leaf('external_user_id', 'not_in', ['user_0', 'user_2', 'user_3'])}`,
  ]) {
    const { data, total } = succeeded(
      await test.get(`/v1/conversations?${query}&sort=created_at&include=total`),
    )
    assert.deepEqual([data.map(({ id }: Body) => id), total], [[1, 5, 9].map((i) => made[i]!.id), 3], query)
  }

  assert.equal(await linkSome(api.db, tenantId, 7), 7)
  const fresh = await conversation(test, { external_user_id: 'user_3' })
  const ofThree = [made[3]!, made[7]!, fresh].map(({ id }) => id)
  assert.deepEqual(
    (await listed('external_user_id=user_3')).map(({ id }) => id),
    ofThree,
  )
  while ((await linkSome(api.db, tenantId, 7)) > 0);

  const after = await listed('limit=100')
  assert.deepEqual(
    after.map((row) => [row.id, row.external_user_id, row.version]),
    [...made, fresh].map((row) => [row.id, row.external_user_id, row.version]),
  )
  assert.equal(new Set(after.map((row) => row.end_user_id)).size, 4)
  assert.equal(after[0]!.end_user_id, known!.end_user_id)
  const { data: people } = succeeded(await test.get('/v1/end_users?sort=created_at'))
  assert.deepEqual(people.map((row: Body) => row.external_id).sort(), [
    'user_0',
    'user_1',
    'user_2',
    'user_3',
  ])
  assert.equal(people.find((row: Body) => row.external_id === 'user_1').created_at, made[1]!.created_at)
  assert.deepEqual(
    (await listed('external_user_id=user_3')).map(({ id }) => id),
    ofThree,
  )
})

test('an end user whom a request creates while a batch is linked is not created twice', async () => {
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  for (let i = 0; i < 60; i++) await conversation(test, { external_user_id: `user_${i % 30}` })
  await api.db.write(
    sql`update conversations set external_user_id = e.external_id, end_user_id = null
      from end_users e where conversations.tenant_id = ${tenantId} and e.tenant_id = ${tenantId} and e.id = conversations.end_user_id`,
    sql`delete from end_users where tenant_id = ${tenantId}`,
  )
  const link = async () => {
    while ((await linkSome(api.db, tenantId, 9)) > 0);
  }
  const create = Array.from({ length: 30 }, (_, i) => conversation(test, { external_user_id: `user_${i}` }))
  await Promise.all([link(), link(), ...create])
  await link()
  const [row] = await api.db.rows<{ people: number; linked: number }>(sql`select
    (select count(*) from end_users where tenant_id = ${tenantId}) as people,
    (select count(*) from conversations c join end_users e on e.tenant_id = ${tenantId} and e.id = c.end_user_id
      where c.tenant_id = ${tenantId}) as linked`)
  assert.deepEqual(row, { people: 30, linked: 90 })
})
