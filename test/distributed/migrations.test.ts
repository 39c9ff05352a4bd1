import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { placeNewTables } from '@backline/server/platform/postgres/distribution.ts'
import { type Migration, migrate, readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import type pg from 'pg'
import { distributedAt, oldestCluster, placementsOf, presentSchema, schemaOf } from './upgrades.ts'

/** Each test has a database of its own. */
const drops: (() => Promise<void>)[] = []
after(async () => {
  for (const drop of drops) await drop()
})

async function clusterAt(number: number) {
  const { client, connection, drop } = await distributedAt(number)
  drops.push(drop)
  return { client, connection }
}

const migrationOf = (number: number): Migration => readMigrations()[number - 1]!

describe('a distributed database is upgraded', () => {
  const upgraded = async (connection: Connection, from: number) =>
    assert.deepEqual(
      await migrate(connection),
      readMigrations()
        .slice(from)
        .map(({ name }) => name),
    )

  test('by all migrations: each command is one that Citus accepts, and every table is placed', async () => {
    const { client, connection } = await clusterAt(oldestCluster)
    await upgraded(connection, oldestCluster)
    assert.equal(await schemaOf(client), await presentSchema())
    const { rows } = await client.query(
      "select tablename::text as name from pg_tables where schemaname = 'public' order by 1",
    )
    assert.deepEqual(
      (await placementsOf(client)).map(({ name }) => name),
      rows.map(({ name }) => name),
    )
  })

  test('after a version that placed tables last has stopped half-way', async () => {
    const { client, connection } = await clusterAt(36)
    for (const statement of migrationOf(37).statements) await client.query(statement)
    const { number, name, checksum } = migrationOf(37)
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    await upgraded(connection, 37)
    assert.equal(await schemaOf(client), await presentSchema())
    assert.equal((await placementsOf(client)).filter(({ name }) => name === 'scheduled_messages').length, 1)
  })
})

describe('the stand-in refuses what Citus refused', () => {
  /** Tests undo their commands, so that they can share databases. */
  const clusters = new Map<number, Promise<pg.Client>>()
  function sharedAt(number: number): Promise<pg.Client> {
    const cluster = clusters.get(number) ?? clusterAt(number).then(({ client }) => client)
    clusters.set(number, cluster)
    return cluster
  }

  type Rules = { isSequential: boolean; places: boolean }

  /** Runs a migration, and undoes it. */
  async function run(client: pg.Client, statements: string[], rules: Rules): Promise<void> {
    await client.query('begin')
    try {
      if (rules.isSequential) await client.query("set local citus.multi_shard_modify_mode = 'sequential'")
      for (const statement of statements) {
        await client.query(statement)
        if (rules.places) await placeNewTables(client)
      }
    } finally {
      await client.query('rollback')
    }
  }
  const asMigrate: Rules = { isSequential: true, places: true }

  test('a foreign key to a table that is not placed yet, as in 0035', async () => {
    const client = await sharedAt(34)
    const { statements } = migrationOf(35)
    await assert.rejects(
      run(client, statements, { isSequential: true, places: false }),
      /^error: referenced table "end_users" must be a distributed table or a reference table$/,
    )
    await run(client, statements, asMigrate)
  })

  test('a reference table that is altered after a distributed one, unless all goes through one connection, as in 0035 and 0038', async () => {
    for (const number of [35, 38]) {
      const client = await sharedAt(number - 1)
      const { statements } = migrationOf(number)
      await assert.rejects(
        run(client, statements, { isSequential: false, places: true }),
        /^error: cannot modify table "environments" because there was a parallel operation on a distributed table$/,
      )
      await run(client, statements, asMigrate)
    }
  })

  test('settings of columns and several constraints at once, also in a sequential transaction', async () => {
    const cases: [statement: string, message: RegExp][] = [
      [
        'alter table tags alter column tenant_id set (n_distinct = 1)',
        /alter table command is currently unsupported/,
      ],
      [
        'alter table events alter erased set storage external',
        /alter table command is currently unsupported/,
      ],
      [
        'alter table tags add constraint a check (version > 0), add column b integer',
        /cannot execute ADD CONSTRAINT/,
      ],
      ['alter table tags add column b integer, add unique (tenant_id, b)', /cannot execute ADD CONSTRAINT/],
      [
        'create table kinds (id uuid primary key, tenant_id uuid, tag_id uuid, foreign key (tenant_id, tag_id) references tags (tenant_id, id))',
        /refers to tags \(distributed\)/,
      ],
    ]
    const client = await sharedAt(oldestCluster)
    for (const [statement, message] of cases)
      await assert.rejects(run(client, [statement], asMigrate), message, statement)
  })

  test('no more: a key that is added later, and columns of two distributed tables', async () => {
    const statements = [
      'create table kinds (tenant_id uuid not null, id uuid not null)',
      'alter table kinds add primary key (tenant_id, id)',
      'alter table tags add column kind_id uuid, add column other integer',
      'alter table tags add foreign key (tenant_id, kind_id) references kinds (tenant_id, id)',
      'alter table environments add column other integer',
    ]
    const client = await sharedAt(oldestCluster)
    await run(client, statements, asMigrate)
  })
})

test('an online migration only replaces indexes, so that it can run again after any of its commands', () => {
  const withoutComments = (statement: string) => statement.replace(/^\s*--.*$/gm, '').trim()
  for (const { name, statements } of readMigrations().filter(({ isOnline }) => isOnline)) {
    const dropped = new Set<string>()
    for (const statement of statements.map(withoutComments)) {
      const drop = /^drop index concurrently if exists (\w+)$/.exec(statement)
      const create = /^create (?:unique )?index concurrently (\w+)\s/.exec(statement)
      assert.ok(drop ?? create, `${name}: ${statement}`)
      if (create) assert.ok(dropped.has(create[1]!), `${name}: ${create[1]} is created without a drop before`)
      if (drop) dropped.add(drop[1]!)
    }
  }
})
