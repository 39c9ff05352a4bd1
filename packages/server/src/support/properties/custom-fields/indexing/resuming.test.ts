import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { ended } from '@backline/test/jobs.ts'
import { until } from '@backline/test/processes.ts'
import { firstUuid, uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { slotOf } from '../queries.ts'

const api = service({}) // servers that do the work are started beside it

const count = 9_000

async function many() {
  const world = await api.world()
  const { test: client } = world
  const field = succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'company', key: 'size', name: 'Size', type: 'number' },
    }),
  )
  const { id } = succeeded(await client.post('/v1/companies', { name: 'Acme' }))
  await api.db.write(sql`insert into companies
    select (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(),
      'custom_values', jsonb_build_object(${slotOf(uuidOf('cf', field.id)!)}::text, i)))).*
    from companies original cross join generate_series(1, ${count}::integer) i
    where tenant_id = ${world.environments.test.tenantId} and id = ${uuidOf('co', id)}`)
  return { world, client, field }
}

const countOf = async (
  { environments }: World,
  table: 'custom_field_values' | 'companies',
): Promise<number> => {
  const { tenantId } = environments.test
  const rows =
    table === 'companies'
      ? sql`companies where tenant_id = ${tenantId} and custom_values is not null`
      : sql`custom_field_values where tenant_id = ${tenantId}`
  const [found] = await api.db.rows<{ count: number }>(sql`select count(*)::integer as count from ${rows}`)
  return found!.count
}
const taskOf = ({ environments }: World): Promise<{ after: string } | null> =>
  api.db.maybe(sql`select after from custom_field_tasks where tenant_id = ${environments.test.tenantId}`)

/** Lets a server work until some batches are done, and stops it. */
async function interrupted(world: World): Promise<void> {
  const server = await api.another({ works: true })
  await until('a batch is done', async () => ((await taskOf(world))?.after ?? '') > firstUuid)
  await server.stop()
  assert.notEqual(await taskOf(world), null)
}
const statusOf = async (client: Client, { id }: Body): Promise<string> =>
  succeeded(await client.get(`/v1/custom_fields/${id}`)).index_status

test('building goes on where an interrupted server left off, and so does the removal of values', async () => {
  const { world, client, field } = await many()
  succeeded(await client.patch(`/v1/custom_fields/${field.id}`, { indexed: true }))
  await interrupted(world)
  assert.equal(await statusOf(client, field), 'building')
  const part = await countOf(world, 'custom_field_values')
  assert.ok(part > 0 && part < count, String(part))
  const workers = [await api.another({ works: true }), await api.another({ works: true })]
  await until('it is ready', async () => (await statusOf(client, field)) === 'ready')
  assert.equal(await countOf(world, 'custom_field_values'), count)
  for (const worker of workers) await worker.stop()

  assert.equal((await client.delete(`/v1/custom_fields/${field.id}`)).status, 204)
  api.advance(61)
  const [job] = (await client.get('/v1/jobs')).body.data
  assert.deepEqual([job.type, job.params.custom_field_id], ['custom_field_removal', field.id])
  const server = await api.another({ works: true })
  await until('some are removed', async () => (await countOf(world, 'companies')) < count)
  await server.stop()
  await api.another({ works: true })
  assert.equal((await ended(client, job)).progress.done, count + 1)
  assert.deepEqual([await countOf(world, 'companies'), await countOf(world, 'custom_field_values')], [0, 0])
})

test('a batch ends after some thousand entries, however few objects have them', async () => {
  const world = await api.world()
  const { test: client } = world
  const options = Array.from({ length: 200 }, (_, i) => ({ value: `o${i}` }))
  const field = succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'company', key: 'areas', name: 'Areas', type: 'multi_select', options },
    }),
  )
  const areas = options.map(({ value }) => value)
  for (let i = 0; i < 60; i++)
    succeeded(await client.post('/v1/companies', { name: `Acme ${i}`, custom_fields: { areas } }))
  succeeded(await client.patch(`/v1/custom_fields/${field.id}`, { indexed: true }))
  await interrupted(world)
  const part = await countOf(world, 'custom_field_values')
  assert.ok(part >= 5_000 && part < 12_000 && part % 5_000 === 0, String(part))
  await api.another({ works: true })
  await until('it is ready', async () => (await statusOf(client, field)) === 'ready')
  assert.equal(await countOf(world, 'custom_field_values'), 12_000)
})
