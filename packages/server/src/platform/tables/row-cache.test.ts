import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Db, Head, RowSource } from '../postgres/database.ts'
import { rowCache } from './row-cache.ts'

type Row = { id: string; version: number; text: string; tags: string[] }

/** A table that counts how often each of its rows is read. */
function table() {
  const stored = new Map<string, Row>()
  const reads: string[] = []
  const put = (id: string, version: number, text = `${id} ${version}`, tags: string[] = []) =>
    stored.set(id, { id, version, text, tags })
  const source: RowSource<Row> = {
    one: async () => null,
    many: async (_, __, ids) => {
      reads.push(...ids)
      return ids.flatMap((id) => stored.get(id) ?? [])
    },
  }
  const cache = rowCache()
  /** Null if the page must be read as a whole. */
  const rowsOf = async (db: Db, tenantId: string, heads: Head[]): Promise<Row[] | null> => {
    const whole: Row[] = []
    const page = { heads: async () => heads, rows: async () => whole }
    const rows = await cache.page(source, db, tenantId, page)
    return rows === whole ? null : rows
  }
  let written = 0
  const wire = { json: ({ id }: Row) => `${id}, ${++written} times`, isTimeless: () => true }
  const json = (row: Row) => cache.json(wire, row, '2026-11-20T09:30:00.000Z')
  const taken = () => reads.splice(0)
  return { put, remove: (id: string) => stored.delete(id), rowsOf, json, taken }
}

const database = (losses = () => 0) => ({ losses }) as unknown as Db
const head = (id: string, version: number, tags: string[] = []) => ({ id, version, tags })

test('a row is read once for each head and tenant', async () => {
  const { put, rowsOf, json, taken } = table()
  const db = database()
  put('a', 1)
  put('b', 1)
  const [first] = (await rowsOf(db, 'one', [head('a', 1), head('b', 1)]))!
  assert.deepEqual(taken(), ['a', 'b'])
  const again = (await rowsOf(db, 'one', [head('b', 1), head('a', 1)]))!
  assert.deepEqual(taken(), [])
  assert.equal(again[1], first, 'the same object, with its text')
  assert.deepEqual([json(first!), json(first!)], ['a, 1 times', 'a, 1 times'])
  assert.equal(json({ ...first! }), 'a, 2 times', 'a copy has no text')
  await rowsOf(db, 'two', [head('a', 1)])
  assert.deepEqual(taken(), ['a'])
  put('a', 2)
  await rowsOf(db, 'two', [head('a', 2)])
  assert.deepEqual(taken(), ['a'])
})

test('a row has the values of its head, and is read again when they change', async () => {
  const { put, rowsOf, taken } = table()
  const db = database()
  put('a', 1, 'text', ['read later'])
  const shown = async (tags: string[]) => (await rowsOf(db, 'one', [head('a', 1, tags)]))![0]!
  const before = await shown(['vip'])
  assert.deepEqual({ ...before }, { id: 'a', version: 1, text: 'text', tags: ['vip'] })
  assert.notEqual(await shown(['gold']), before)
  assert.deepEqual((await shown(['gold'])).tags, ['gold'])
  assert.deepEqual(taken(), ['a', 'a'])
})

test('the page is read as a whole when rows change after their heads were read', async () => {
  const { put, remove, rowsOf, taken } = table()
  const db = database()
  put('a', 2)
  assert.equal(await rowsOf(db, 'one', [head('a', 1)]), null)
  remove('a')
  assert.equal(await rowsOf(db, 'one', [head('a', 2)]), null)
  put('a', 2)
  taken()
  assert.equal((await rowsOf(db, 'one', [head('a', 2)]))![0]!.text, 'a 2')
  assert.deepEqual(taken(), ['a'])
})

test('a lost connection clears the cache', async () => {
  const { put, rowsOf } = table()
  let losses = 0
  const db = database(() => losses)
  put('a', 1, 'before')
  await rowsOf(db, 'one', [head('a', 1)])
  put('a', 1, 'of the server that took over')
  assert.equal((await rowsOf(db, 'one', [head('a', 1)]))![0]!.text, 'before')
  losses++
  assert.equal((await rowsOf(db, 'one', [head('a', 1)]))![0]!.text, 'of the server that took over')
})

test('unused rows are evicted, large rows are never cached, others stay', async () => {
  const { put, rowsOf, json, taken } = table()
  const db = database()
  put('long', 1, 'x'.repeat(16_001))
  const [long] = (await rowsOf(db, 'one', [head('long', 1)]))!
  assert.deepEqual([json(long!), json(long!)], ['long, 1 times', 'long, 2 times'])
  put('asked', 1)
  put('not asked', 1)
  await rowsOf(db, 'one', [head('asked', 1), head('not asked', 1)])
  for (let i = 0; i < 1_000; i++) {
    put(`${i}`, 1, 'x'.repeat(15_000))
    await rowsOf(db, 'one', [head(`${i}`, 1), head('asked', 1)])
  }
  taken()
  await rowsOf(db, 'one', [head('asked', 1), head('not asked', 1), head('long', 1)])
  assert.deepEqual(taken(), ['not asked', 'long'])
})

test('the cache holds at most 6 million characters', async () => {
  const { put, rowsOf, taken } = table()
  const db = database()
  const heads = Array.from({ length: 500 }, (_, i) => head(`${i}`, 1))
  for (const { id } of heads) put(id, 1, 'x'.repeat(14_900))
  for (const each of heads) await rowsOf(db, 'one', [each])
  taken()
  for (const each of heads.toReversed()) await rowsOf(db, 'one', [each])
  const kept = heads.length - taken().length
  assert.ok(kept * 14_900 <= 6_000_000, `${kept} rows`)
  assert.ok(kept * 15_000 >= 5_900_000, `${kept} rows`)
})

test('a row that has grown counts with its current size', async () => {
  const { put, rowsOf, taken } = table()
  const db = database()
  const read = (id: string, version: number) => rowsOf(db, 'one', [head(id, version)])
  put('not asked', 1)
  await read('not asked', 1)
  for (const [version, length] of [
    [1, 0],
    [2, 15_000],
  ] as const)
    for (let i = 0; i < 600; i++) {
      put(`${i}`, version, 'x'.repeat(length))
      await read(`${i}`, version)
    }
  taken()
  await read('not asked', 1)
  assert.deepEqual(taken(), ['not asked'])
})
