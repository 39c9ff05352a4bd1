import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, succeeded } from '../../../../test/desk.ts'
import { type Client, service } from '../../../../test/harness.ts'
import { repeatMessage } from '../../../../test/repeat.ts'
import { sql } from '../../../db/sql.ts'
import { uuidOf } from '../../../lib/ids.ts'

/* Searches that find more than is read at once (queries.ts): few of the newest match, thousands of the oldest do. */

const api = service()
const [old, between, young] = [2_500, 11_000, 3]

async function total(client: Client, query: string): Promise<[number, boolean]> {
  const { total, total_is_capped } = succeeded(await client.get(`/v1/conversations?include=total&${query}`))
  return [total, total_is_capped]
}

async function walk(client: Client, query: string): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const page: Body = succeeded(await client.get(`/v1/conversations?limit=100&${query}${cursor}`))
    ids.push(...page.data.map(({ id }: Body) => id))
    if (!page.has_more) return ids
    cursor = `&cursor=${page.next_cursor}`
  }
}

test('a search sees each match once, whichever of its ways leads to a page', async () => {
  const { test, environments } = await api.world()
  const { tenantId } = environments.test
  const copy = (id: string, from: number, count: number) =>
    api.db.write(sql`insert into conversations
      select (jsonb_populate_record(c, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'),
          'status', case when n % 500 = 0 then 'resolved' else 'new' end))).*
        from conversations c, generate_series(${from}::integer, ${from + count - 1}::integer) n
        where c.tenant_id = ${tenantId} and c.id = ${uuidOf('conv', id)}`)
  const apple = await conversation(test, { subject: 'Apple pie' })
  const plum = await conversation(test, { subject: 'Plum pie' })
  await copy(apple.id, 1, old)
  await copy(plum.id, old + 1, between)
  const said = await conversation(test, { message: { body: 'An apple a day' } })
  for (let i = 2; i < young; i++) await conversation(test, { subject: 'Apples' })
  const apples = old + young

  for (const sort of ['-created_at', 'created_at', '-last_message_at']) {
    const found = await walk(test, `q=apple&sort=${sort}`)
    assert.equal(found.length, apples, sort)
    assert.equal(new Set(found).size, apples, sort)
  }
  assert.deepEqual((await walk(test, 'q=apple')).toSorted().toReversed(), await walk(test, 'q=apple'))
  assert.equal((await walk(test, 'q=apple&sort=-last_message_at'))[0], said.id)
  assert.equal((await walk(test, 'q=apple&status=resolved')).length, old / 500)
  assert.deepEqual(await walk(test, 'q=apple%20plum'), [])
  assert.equal((await walk(test, 'q=pie')).length, old + between + 2)
  assert.deepEqual(await total(test, 'q=apple'), [apples, false])
  assert.deepEqual(await total(test, 'q=apple&status=resolved'), [old / 500, false])
  assert.deepEqual(await total(test, 'q=pie'), [10_000, true])
})

test('a total counts a conversation once, however many of its messages match', async () => {
  const { test, environments } = await api.world()
  const busy = await conversation(test, { message: { body: 'Pears' } })
  await repeatMessage(api.db, environments.test.tenantId, uuidOf('conv', busy.id)!, 40_001)
  for (const priority of ['urgent', 'low']) await conversation(test, { subject: 'Pear', priority })
  assert.deepEqual(await total(test, 'q=pear'), [3, false])
  assert.deepEqual(await total(test, 'q=pear&priority=low'), [1, false])
})
