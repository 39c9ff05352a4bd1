import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PlacedTable, placedTables, stepsFor } from '@backline/server/platform/postgres/distribution.ts'
import pg from 'pg'
import { cloneDatabase } from '../databases.ts'

/** Defaults are constants, except these, which the coordinator computes. */
const computedDefaults = [['migrations', 'applied_at', 'now()']]

describe('the schema, as a distributed PostgreSQL takes it', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  let tables: PlacedTable[]
  const rows = async (query: string): Promise<string[][]> =>
    (await client.query({ text: query, rowMode: 'array' })).rows
  const ofPlacement = (placement: string) =>
    tables.filter((table) => table.placement === placement).map(({ name }) => name)

  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    client = new pg.Client(database.connection)
    await client.connect()
    tables = await placedTables(client, false)
  })
  after(async () => {
    await client?.end()
    await drop?.()
  })

  test('few tables are copied to every server, and all others are distributed', () => {
    assert.deepEqual(ofPlacement('reference'), [
      'api_key_secrets',
      'api_keys',
      'console_links',
      'environments',
      'installation_secrets',
      'migrations',
      'workspaces',
    ])
    assert.ok(ofPlacement('distributed').length > 40)
  })

  test('the tenant is in every primary key, unique index and foreign key of a distributed table', async () => {
    const withoutTenant =
      await rows(`select c.relname, i.indexrelid::regclass::text from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and i.indisunique and not exists (
        select from pg_attribute k where k.attrelid = c.oid and k.attname = 'tenant_id' and k.attnum = any(i.indkey))
      union all select c.relname, f.conname from pg_constraint f join pg_class c on c.oid = f.conrelid
      where c.relnamespace = 'public'::regnamespace and f.contype = 'f' and not exists (
        select from pg_attribute k where k.attrelid = c.oid and k.attname = 'tenant_id' and k.attnum = any(f.conkey))`)
    const references = ofPlacement('reference')
    assert.deepEqual(
      withoutTenant.filter(([table]) => !references.includes(table!)),
      [],
    )
    assert.ok(withoutTenant.length > 0, 'reference tables have some')
  })

  test('no triggers, no inheritance, no foreign key that sets null, no sequences', async () => {
    assert.deepEqual(await rows('select tgname from pg_trigger where not tgisinternal'), [])
    assert.deepEqual(
      await rows(
        "select inhrelid::regclass from pg_inherits where inhrelid::regclass::text not like '%_pkey'",
      ),
      [],
    )
    assert.deepEqual(
      await rows(
        "select conname from pg_constraint where contype = 'f' and (confdeltype in ('n', 'd') or confupdtype in ('n', 'd'))",
      ),
      [],
    )
    assert.deepEqual(
      await rows(
        "select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace",
      ),
      [],
    )
  })

  test('defaults are values', async () => {
    const computed = await rows(`select c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid)
      from pg_attrdef d join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
      where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) like '%(%'`)
    assert.deepEqual(computed.sort(), computedDefaults.toSorted())
  })

  test('tables are placed after those that their foreign keys refer to, reference tables first', () => {
    const placed: string[] = []
    for (const { table, values } of stepsFor(tables)) {
      const { placement, refersTo } = tables.find(({ name }) => name === table)!
      for (const other of refersTo) assert.ok(placed.includes(other), `${other} before ${table}`)
      if (placement !== 'reference')
        assert.ok(ofPlacement('reference').every((each) => placed.includes(each)))
      assert.equal(values[0], table)
      placed.push(table)
    }
    assert.deepEqual(placed.toSorted(), tables.map(({ name }) => name).toSorted())
  })

  test('all distributed tables lie with the first one', () => {
    const neighbours = stepsFor(tables)
      .filter(({ placement }) => placement === 'distributed')
      .map(({ values }) => values[2])
    assert.equal(neighbours[0], 'none')
    assert.deepEqual([...new Set(neighbours.slice(1))].length, 1)
  })

  const table = (
    name: string,
    placement: PlacedTable['placement'],
    more: Partial<PlacedTable> = {},
  ): PlacedTable => ({
    name,
    placement,
    present: null,
    refersTo: [],
    ...more,
  })

  test('only what is not in its place is moved, to where its kind is already', () => {
    const steps = stepsFor([
      table('former', 'distributed', { present: 'distributed' }),
      table('new', 'distributed', { refersTo: ['former'] }),
      table('known', 'reference', { present: 'reference' }),
    ])
    assert.deepEqual(
      steps.map(({ values }) => values),
      [['new', 'tenant_id', 'former']],
    )
  })

  test('refused: what lies elsewhere, foreign keys in a circle, and those that lead to another server', () => {
    assert.throws(
      () => stepsFor([table('a', 'reference', { present: 'distributed' })]),
      /a is distributed and must be reference/,
    )
    const circle = [
      table('a', 'distributed', { refersTo: ['b'] }),
      table('b', 'distributed', { refersTo: ['a'] }),
    ]
    assert.throws(() => stepsFor(circle), /Circular foreign keys/)
    const apart = [table('a', 'reference', { refersTo: ['b'] }), table('b', 'distributed')]
    assert.throws(() => stepsFor(apart), /a \(reference\) refers to b \(distributed\)/)
  })
})
