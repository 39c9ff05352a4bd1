import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { typeId, uuidOf } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { type ConversationSort, conversationSortKey, conversationSorts } from './orders.ts'
import { conversationLeaf, conversationList } from './request.ts'
import type { SearchLimits } from './words.ts'

/*
 * Searches with more matches than one read, with limits so low that some conversations exceed them: few of the newest
 * match, most of the oldest do.
 */

const now = new Date().toISOString()
const api = service()
const [old, between, young] = [25, 110, 3]
const apples = old + young

const lowLimits: SearchLimits[] = [
  { walks: [10, 100, 1_000], frequentFrom: 2, fewest: 10, few: 150, counted: 400 },
  { walks: [10, 100, 1_000], frequentFrom: 4, fewest: 30, few: 150, counted: 400 }, // asks the index early
  { walks: [3, 7, 20], frequentFrom: 2, fewest: 10, few: 150, counted: 20 }, // reads fewer than exist
  { walks: [10, 100, 1_000], frequentFrom: 2, fewest: 1, few: 20, counted: 10 }, // every match is one of many
  { walks: [3, 7, 20], frequentFrom: 4, fewest: 1, few: 20, counted: 1 }, // neither way leads to a page
]

type Query = { q: string; status?: string; priority?: string }

function listOf(tenantId: string, { q, ...equal }: Query, search: SearchLimits) {
  const all = Object.entries(equal).map(([field, value]) => conversationLeaf(field as 'status', 'is', value))
  return conversationList(api.db, { tenantId, now }, { all }, q, { search })
}

describe('a search', () => {
  let client: Client
  let tenantId: string
  /** The conversation with an apple in a message. */
  let said: string

  before(async () => {
    const { test, environments } = await api.world()
    client = test
    tenantId = environments.test.tenantId
    const copy = (id: string, from: number, count: number) =>
      api.db.write(sql`insert into conversations
      select (jsonb_populate_record(c, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
          'status', case when n % 5 = 0 then 'resolved' else 'new' end))).*
        from conversations c, generate_series(${from}::integer, ${from + count - 1}::integer) n
        where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)}`)
    const apple = await conversation(client, { subject: 'Apple pie' })
    const plum = await conversation(client, { subject: 'Plum pie' })
    await copy(apple.id, 1, old)
    await copy(plum.id, old + 1, between)
    said = (await conversation(client, { message: { body: 'An apple a day' } })).id
    for (let i = 2; i < young; i++) await conversation(client, { subject: 'Apples' })
  })

  for (const limits of lowLimits) {
    const name = JSON.stringify(limits)

    async function walk(query: Query, sort: ConversationSort) {
      const list = listOf(tenantId, query, limits)
      const ids: string[] = []
      for (let after: SortKey | null = null; ; ) {
        const page = await list.page({ limit: 5, after, sort })
        assert.ok(Array.isArray(page), 'only a filter ends a page early')
        const rows = page.slice(0, 5)
        ids.push(...rows.map(({ id }) => typeId('conv', id)))
        if (page.length < 5) return ids
        after = conversationSortKey(rows.at(-1)!, sort)
      }
    }

    test(`sees each match once, whichever of its ways leads to a page: ${name}`, async () => {
      for (const sort of conversationSorts) {
        const found = await walk({ q: 'apple' }, sort)
        assert.equal(found.length, apples, sort)
        assert.equal(new Set(found).size, apples, sort)
      }
      const newestFirst = await walk({ q: 'apple' }, '-created_at')
      assert.deepEqual(newestFirst.toSorted().toReversed(), newestFirst)
      assert.deepEqual(await walk({ q: 'apple' }, 'created_at'), newestFirst.toReversed())
      assert.equal((await walk({ q: 'apple' }, '-last_message_at'))[0], said)
      assert.equal((await walk({ q: 'apple', status: 'resolved' }, '-created_at')).length, old / 5)
      assert.deepEqual(await walk({ q: 'apple plum' }, '-created_at'), [])
      assert.equal((await walk({ q: 'pie' }, '-created_at')).length, old + between + 2)
    })

    test(`counts each match once, up to the most that is asked for: ${name}`, async () => {
      const total = (query: Query, atMost = 1_000) => listOf(tenantId, query, limits).count(atMost)
      assert.equal(await total({ q: 'apple' }), apples)
      assert.equal(await total({ q: 'apple', status: 'resolved' }), old / 5)
      assert.equal(await total({ q: 'pie' }), old + between + 2)
      assert.equal(await total({ q: 'pie' }, 50), 50)
    })
  }
})

test('a total counts a conversation once, however many of its messages match', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const busy = await conversation(client, { message: { body: 'Pears' } })
  for (let i = 0; i < 4; i++) await say(client, busy.id, 'end_user', { body: 'Pears' })
  for (const priority of ['urgent', 'low']) await conversation(client, { subject: 'Pear', priority })
  const limits: SearchLimits = { walks: [1, 2, 3], frequentFrom: 1, fewest: 1, few: 3, counted: 3 }
  assert.equal(await listOf(tenantId, { q: 'pear' }, limits).count(1_000), 3)
  assert.equal(await listOf(tenantId, { q: 'pear', priority: 'low' }, limits).count(1_000), 1)
  const { data, total, total_is_capped }: Body = succeeded(
    await client.get('/v1/conversations?q=pear&include=total'),
  )
  assert.deepEqual([data.length, total, total_is_capped], [3, 3, false])
})

test('a conversation that changes after its id was found is shown as it is then, in the place that it has then', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const [first, second] = [
    await conversation(client, { subject: 'Quince' }),
    await conversation(client, { subject: 'Quince' }),
  ]
  const home = api.db.home(tenantId)
  let changes = 0
  const changing: typeof home = {
    ...home,
    async rows(query) {
      if (changes++ === 0)
        succeeded(await client.patch(`/v1/conversations/${first.id}`, { subject: 'More quince' }))
      return home.rows(query)
    },
  }
  const list = conversationList(changing, { tenantId, now }, { all: [] }, 'quince')
  const page = await list.page({ limit: 3, after: null, sort: '-updated_at' })
  assert.ok(Array.isArray(page))
  assert.deepEqual(
    page.map(({ id, subject }) => [typeId('conv', id), subject]),
    [
      [first.id, 'More quince'],
      [second.id, 'Quince'],
    ],
  )
})
