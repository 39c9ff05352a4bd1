import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'

const api = service({ works: true })

const count = rounds(20_000, 3_000)

/** Copies the only message of a conversation, with its event. */
async function copyMessage(tenantId: string, conversationId: string): Promise<void> {
  await api.db.write(sql`insert into messages (tenant_id, id, conversation_id, sequence, author_side, body, body_format, body_html,
      visibility, metadata, search, created_at, updated_at, version)
    select tenant_id, gen_random_uuid(), conversation_id, sequence + n, author_side, body, body_format, body_html,
      visibility, metadata, search, created_at, updated_at, version
    from messages, generate_series(1, ${count}::integer) n where tenant_id = ${tenantId} and conversation_id = ${conversationId}`)
  await api.db.write(sql`insert into events (tenant_id, epoch, position, ordinal, id, type, created_at, stream_id, resource_type,
      resource_id, resource_version, actor_type, actor_id, request_id, object, previous, audited, related)
    select tenant_id, epoch, (position::text::bigint - ${count}::integer + n)::text::xid8, ordinal, gen_random_uuid(), type, created_at, stream_id,
      resource_type, gen_random_uuid(), resource_version, actor_type, actor_id, request_id, object, previous, audited, related
    from events, generate_series(0, ${count - 1}::integer) n where tenant_id = ${tenantId} and stream_id = ${conversationId}
      and type = 'message.created' and n > 0`)
}

test('a conversation with thousands of messages is deleted in parts', async () => {
  const { test, environments } = await api.world()
  const { id } = await conversation(test, { subject: 'zebrasubject' })
  await say(test, id, 'end_user', { body: `zebrabody ${'lorem ipsum '.repeat(40)}` })
  await copyMessage(environments.test.tenantId, uuidOf('conv', id)!)
  succeeded(await test.delete(`/v1/conversations/${id}`))
  assert.equal((await test.get(`/v1/conversations/${id}`)).status, 404)
  await until('no text is left', async () => (await placesOf(api, ['zebra'])).length === 0)
})
