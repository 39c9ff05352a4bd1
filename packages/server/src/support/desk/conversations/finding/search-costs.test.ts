import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { conversationList } from './request.ts'

// With options, the files of the database are no other tests'.
const api = service({})

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

/** The blocks that searches of an environment make PostgreSQL read, and the number of rows on their first page. */
function measured(tenantId: string) {
  const home = api.db.home(tenantId)
  let blocks = 0
  const counting: typeof home = {
    ...home,
    async slowRows(query, plan) {
      const [row] = await home.slowRows<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        sql`explain (analyze, buffers, format json) ${query}`,
      )
      const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Plan }]
      blocks += Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks']
      return home.slowRows(query, plan)
    },
  }
  return async (q: string) => {
    blocks = 0
    const list = conversationList(counting, { tenantId, now: new Date().toISOString() }, { all: [] }, q)
    const found = await list.page({ limit: 26, after: null, sort: '-created_at' })
    return { found: Array.isArray(found) && found.length, blocks }
  }
}

/** Adds copies of a conversation with one message, with ids that begin so. */
async function add(tenantId: string, conversationId: string, begin: string, count: number) {
  const id = sql`${begin}::text || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0')`
  const numbers = sql`generate_series(1, ${count}::integer) n`
  const copied = uuidOf('conv', conversationId)
  await api.db.write(sql`insert into conversations select (jsonb_populate_record(c, jsonb_build_object('id', ${id}))).*
    from conversations c, ${numbers} where c.tenant_id = ${tenantId} and c.id = ${copied}`)
  await api.db.write(sql`insert into messages
    select (jsonb_populate_record(m, jsonb_build_object('id', ${id}, 'conversation_id', ${id}))).*
    from messages m, ${numbers} where m.tenant_id = ${tenantId} and m.conversation_id = ${copied}`)
  for (const index of ['conversations_search', 'messages_search', 'end_users_search'])
    await api.db.write(sql`select gin_clean_pending_list(${index}::regclass)`)
  for (const table of [sql`conversations`, sql`messages`, sql`end_users`])
    await api.db.write(sql`analyze ${table}`)
}

async function usualConversation(client: Client): Promise<string> {
  const { id } = await conversation(client, { subject: 'A question' })
  await say(client, id, 'end_user', { body: 'An answer, please' })
  return id
}

const [older, newer] = ['00000000', 'ffffffff']

test('what few conversations have costs the same however many others there are, wherever it is', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const usual = await usualConversation(client)
  const name = { name: 'Zenobia Quill', emails: [{ address: 'zenobia.quill@example.com' }] }
  succeeded(await client.post('/v1/end_users', { external_id: 'zenobia', ...name }))
  const rare = await conversation(client, { external_user_id: 'zenobia', subject: 'Order 40417261' })
  await say(client, rare.id, 'end_user', { body: 'From Zanzibar' })

  const asked = ['zanzibar', '40417261', 'zenobia quill', 'zenobia.quill@example.com']
  const search = measured(tenantId)
  const costs = new Map(asked.map((q) => [q, [] as number[]]))
  for (const [begin, count] of [
    [older, 500],
    ['00000001', 3_500],
    [newer, 4_000],
  ] as const) {
    await add(tenantId, usual, begin, count)
    for (const q of asked) {
      const { found, blocks } = await search(q)
      assert.equal(found, 1, q)
      costs.get(q)!.push(blocks)
    }
  }
  for (const [q, each] of costs) assert.ok(Math.max(...each) < 1.5 * each[0]!, `${q}: ${each} blocks`)
})

test('a word that another environment has in each message costs what it costs without that environment', async () => {
  const [own, other] = [await api.world(), await api.world()]
  const { tenantId } = own.environments.test
  const search = measured(tenantId)
  await usualConversation(own.test)
  const different = await conversation(own.test, { subject: 'Another' })
  await say(own.test, different.id, 'end_user', { body: 'Thanks' })
  await add(tenantId, different.id, newer, 300)
  const before = await search('please')
  await add(other.environments.test.tenantId, await usualConversation(other.test), older, 4_000)
  const after = await search('please')
  assert.deepEqual([before.found, after.found], [1, 1])
  assert.ok(after.blocks < 1.5 * before.blocks, `${before.blocks} and ${after.blocks} blocks`)
})
