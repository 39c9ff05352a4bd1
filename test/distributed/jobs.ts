import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { slotOf } from '@backline/server/support/properties/custom-fields/queries.ts'
import { type Body, conversation, succeeded } from '../desk.ts'
import type { Client, Service, World } from '../harness.ts'

/** More than one batch of the removal of values. */
const companies = 2_100

/** Starts a job and lets the clock of the environment move, which does its work. */
async function run(client: Client, path: string, input: object): Promise<Body> {
  const { id } = succeeded(await client.post(path, input))
  await client.get('/v1/jobs?status=queued')
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
  await client.get(`/v1/jobs/${id}/results?status=failed&include=total`)
  return succeeded(await client.get(`/v1/jobs/${id}`))
}

/** Lets jobs of all types do their work, and their results expire. */
export async function workOnJobs(api: Service, { test: client, environments }: World): Promise<void> {
  const { tenantId } = environments.test
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.push((await conversation(client, { tags: ['found'] })).id)
  const filter = { field: 'tags', op: 'contains', value: 'found' }
  const told = [{ type: 'add_tags', tags: ['told'] }]
  await run(client, '/v1/bulk', { selection: { filter }, actions: told })
  await run(client, '/v1/bulk', { selection: { ids }, actions: told, dry_run: true })
  const cancelled = succeeded(await client.post('/v1/bulk', { selection: { ids }, actions: told }))
  succeeded(await client.post(`/v1/jobs/${cancelled.id}/cancel`))
  await run(client, '/v1/exports', { filter })
  await run(client, '/v1/exports', { objects: ['messages', 'end_users', 'companies'] })

  const person = succeeded(
    await client.post('/v1/end_users', { external_id: 'worked on', name: 'Worked on' }),
  )
  const named = { field: 'external_user_id', op: 'is', value: 'worked on' }
  await run(client, '/v1/bulk', { selection: { filter: named }, actions: told })
  await run(client, `/v1/end_users/${person.id}/export`, {})
  await run(client, `/v1/end_users/${person.id}/erase`, { dry_run: true })
  await run(client, `/v1/end_users/${person.id}/erase`, {})

  const field = succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'company', key: 'removed', name: 'Removed', type: 'number', indexed: true },
    }),
  )
  const company = succeeded(await client.post('/v1/companies', { name: 'Many' }))
  await api.db.home(tenantId).write(sql`/* test */ insert into companies
    select (jsonb_populate_record(original, jsonb_build_object('id', gen_random_uuid(),
      'custom_values', jsonb_build_object(${slotOf(uuidOf('cf', field.id)!)}::text, i)))).*
    from companies original cross join generate_series(1, ${companies}::integer) i
    where tenant_id = ${tenantId} and id = ${uuidOf('co', company.id)}`)
  await client.delete(`/v1/custom_fields/${field.id}`)
  for (const days of [1, 31])
    succeeded(await client.post('/v1/test_clock/advance', { seconds: days * 86_400 }))
}
