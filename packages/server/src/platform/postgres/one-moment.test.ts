import assert from 'node:assert/strict'
import { test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { sql } from './sql.ts'

const api = service()

const keysOf = sql`/* test */ select count(*) as count from idempotency_keys`
const counted = async (db: Pick<typeof api.db, 'slowRows'>) =>
  (await db.slowRows<{ count: number }>(keysOf))[0]!.count

test('statements at one moment do not see what was written after the first of them', async () => {
  const { test: client } = await api.world()
  const write = async () =>
    assert.equal((await client.post('/v1/tags', { name: crypto.randomUUID() })).status, 201)
  await api.db.atOneMoment(async (db) => {
    const before = await counted(db)
    await write()
    assert.equal(await counted(db), before)
    assert.ok((await counted(api.db)) > before)
  })
})

test('a statement that takes too long at one moment fails alone', async () => {
  await api.db.atOneMoment(async (db) => {
    assert.equal(await db.rowsWithin(sql`/* test */ select pg_sleep(60)`, 50), null)
    const limit = sql`/* test */ select current_setting('statement_timeout') as ms`
    assert.deepEqual(await db.rowsWithin(limit, 1_234), [{ ms: '1234ms' }])
    assert.deepEqual(await db.rows(limit), [{ ms: '10s' }])
  })
})

test('after a failure the connection is not used again, and others are', async () => {
  const wrong = new Error('on purpose')
  const failing = Array.from({ length: 8 }, () =>
    assert.rejects(
      api.db.atOneMoment(async (db) => {
        await counted(db)
        throw wrong
      }),
      (error) => error === wrong,
    ),
  )
  await Promise.all(failing)
  const inTransaction = sql`/* test */ select 1 from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`
  await until('none is left open', async () => (await api.db.slowRows(inTransaction)).length === 0)
})
