import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { renewLease } from '@backline/server/platform/unit-of-work/due.ts'
import { findTags } from '@backline/server/support/catalogue/tags/queries.ts'
import {
  conversationsOfMessages,
  replaceMappings,
  toldLines,
} from '@backline/server/support/data/imports/queries.ts'
import {
  inConversations,
  messagesInOrder,
  messageTable,
} from '@backline/server/support/desk/messages/queries.ts'
import { slotOf } from '@backline/server/support/properties/custom-fields/queries.ts'
import { type Body, conversation, succeeded } from '../desk.ts'
import type { Client, Service, World } from '../harness.ts'
import { conversationLine, sourceOf } from '../imports.ts'

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

const messageLine = (external_id: string, conversation: string, given: object = {}) => ({
  type: 'message',
  external_id,
  conversation_external_id: conversation,
  author_side: 'end_user',
  body: 'Hello',
  created_at: '2020-03-01T08:00:00Z',
  ...given,
})

/** Lines of all types, with references, and later ones that update, append and replace what was deleted. */
async function importAll(api: Service, client: Client): Promise<void> {
  const lines = [
    { type: 'operator', external_id: 'op1', name: 'Ada', email: 'imported@example.com' },
    { type: 'company', external_id: 'co1', name: 'Acme' },
    { type: 'end_user', external_id: 'user_1', name: 'Grace', company_external_ids: ['co1'] },
    { type: 'tag', external_id: 't1', name: 'imported' },
    { type: 'department', external_id: 'd1', name: 'Imported' },
    { type: 'category', external_id: 'k1', name: 'Imported' },
    { type: 'category', external_id: 'k2', name: 'Below', parent_external_id: 'k1' },
    { type: 'kb_collection', external_id: 'kc1', name: 'Imported' },
    conversationLine('c1', { tag_external_ids: ['t1'], department_external_id: 'd1' }),
    conversationLine('c2', { follow_up_of_external_id: 'c1', status: 'on_hold' }),
    messageLine('m1', 'c1'),
    messageLine('m2', 'c1', { author_side: 'operator', operator_external_id: 'op_unknown' }),
  ]
  const importing = async (given: object[], more: object = {}) => {
    const file_id = await sourceOf(api, client, given)
    return run(client, '/v1/imports', { file_id, source: 'zendesk', ...more })
  }
  await importing(lines, { dry_run: true })
  const first = await importing(lines)
  const { data } = succeeded(await client.get(`/v1/jobs/${first.id}/results?limit=100`))
  await importing([...lines, messageLine('m3', 'c1', { in_reply_to_external_id: 'm1' })], {
    on_conflict: 'update',
  })
  const held = { status: 'on_hold', hold: { note: 'Later' } }
  await importing([conversationLine('c2', held)], { on_conflict: 'update' })
  await importing(lines, { source: 'intercom' })
  for (const { id } of data.filter(({ id }: Body) => /^(cat|kbc)_/.test(id ?? '')).toReversed())
    await client.delete(`/v1/${id.startsWith('cat') ? 'categories' : 'kb/collections'}/${id}`)
  await importing(lines)
}

/** Statements that only large exports, slow parts and crashes send. */
async function meetTheRareOfJobs({ db }: Service, tenantId: string, id: string): Promise<void> {
  const home = db.home(tenantId)
  await renewLease(home, tenantId, { job: 'job', subjectId: id }, '2026-11-27T00:00:00.000Z')
  await toldLines(home, tenantId, id, [1])
  await conversationsOfMessages(home, tenantId, [id])
  await findTags(home, tenantId, [id])
  const page = { limit: 10, after: [id, 1], sort: '' }
  await messageTable.page(home, tenantId, [inConversations([id])], messagesInOrder, page)
  await home.write(
    replaceMappings(tenantId, [{ type: 'tag', external_id: 'none', source: 'none', object_id: id }]),
  )
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
  await importAll(api, client)
  await meetTheRareOfJobs(api, tenantId, uuidOf('conv', ids[0]!)!)
  for (const days of [1, 31])
    succeeded(await client.post('/v1/test_clock/advance', { seconds: days * 86_400 }))
}
