import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { conversationList } from './request.ts'

// With options, the files of the database are no other tests'.
const api = service({})

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number }

test('what few conversations have costs the same however many others there are, wherever it is', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
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
  const asked = ['zanzibar', '40417261', 'zenobia quill', 'zenobia.quill@example.com']
  async function blocksOfEach(): Promise<number[]> {
    const costs: number[] = []
    for (const q of asked) {
      blocks = 0
      const list = conversationList(counting, { tenantId, now: new Date().toISOString() }, { all: [] }, q)
      const found = await list.page({ limit: 26, after: null, sort: '-created_at' })
      assert.equal(Array.isArray(found) && found.length, 1, q)
      costs.push(blocks)
    }
    return costs
  }

  const usual = await conversation(client, { subject: 'A question' })
  await say(client, usual.id, 'end_user', { body: 'An answer, please' })
  const name = { name: 'Zenobia Quill', emails: [{ address: 'zenobia.quill@example.com' }] }
  succeeded(await client.post('/v1/end_users', { external_id: 'zenobia', ...name }))
  const rare = await conversation(client, { external_user_id: 'zenobia', subject: 'Order 40417261' })
  await say(client, rare.id, 'end_user', { body: 'From Zanzibar' })

  /** Adds conversations with ids that begin so, and each with a message. */
  async function add(begin: string, count: number) {
    const id = sql`${begin}::text || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0')`
    const numbers = sql`generate_series(1, ${count}::integer) n`
    const usualId = uuidOf('conv', usual.id)
    await api.db.write(sql`insert into conversations select (jsonb_populate_record(c, jsonb_build_object('id', ${id}))).*
      from conversations c, ${numbers} where c.tenant_id = ${tenantId} and c.id = ${usualId}`)
    await api.db.write(sql`insert into messages
      select (jsonb_populate_record(m, jsonb_build_object('id', ${id}, 'conversation_id', ${id}))).*
      from messages m, ${numbers} where m.tenant_id = ${tenantId} and m.conversation_id = ${usualId}`)
    for (const index of ['conversations_search', 'messages_search', 'end_users_search'])
      await api.db.write(sql`select gin_clean_pending_list(${index}::regclass)`)
    for (const table of [sql`conversations`, sql`messages`, sql`end_users`])
      await api.db.write(sql`analyze ${table}`)
  }

  await add('00000000', 500)
  const costs = [await blocksOfEach()]
  await add('00000001', 3_500) // it stays the newest
  costs.push(await blocksOfEach())
  await add('ffffffff', 4_000) // and is now behind the others
  costs.push(await blocksOfEach())
  for (const [i, q] of asked.entries()) {
    const each = costs.map((cost) => cost[i]!)
    assert.ok(Math.max(...each) < 1.5 * each[0]!, `${q}: ${each} blocks`)
  }
})
