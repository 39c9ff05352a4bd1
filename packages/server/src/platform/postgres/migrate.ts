import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join as joinPath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './database.ts'
import { isDistributed, placeNewTables } from './distribution.ts'
import { keepAlive, type Limits, openSession, usualLimits } from './session.ts'
import { assumeOneEnvironment } from './statistics.ts'

/** A numbered SQL file of the folder `migrations`, such as `0001_journal.sql`. */
export type Migration = {
  number: number
  name: string
  statements: string[]
  /**
   * True if the file begins with `-- online`: its statements are no transaction, as `create index concurrently` needs,
   * so that writes go on. After an interruption they run again from the first one, and must allow it.
   */
  isOnline: boolean
  checksum: string
}

export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** The advisory lock that serializes migrations of one database. */
const migrationLock = 7_226_584_001
const lockRetryMs = 100
/** Migrations have no time limits, whatever the defaults of database and user are. */
const noLimits: Limits = { statementMs: 0, lockMs: 0 }

const folder = joinPath(import.meta.dirname, '../../../migrations')

/** Reads all migrations in order. @throws MigrationError for a duplicate or missing number */
export function readMigrations(): Migration[] {
  const files = readdirSync(folder)
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .sort()
  return files.map((file, i) => {
    const name = basename(file, '.sql')
    const number = Number(name.slice(0, 4))
    if (number !== i + 1)
      throw new MigrationError(
        `Migration ${name}: expected number ${i + 1}; numbers are unique and without gaps`,
      )
    const text = readFileSync(joinPath(folder, file), 'utf8')
    return {
      number,
      name,
      statements: splitStatements(text),
      isOnline: text.startsWith('-- online\n'),
      checksum: createHash('sha256').update(text).digest('hex'),
    }
  })
}

/**
 * Applies pending migrations, each file as one transaction unless it is online, one command per call (a distributed
 * PostgreSQL accepts only one). Safe to run from many processes, and again after an interruption at any point.
 * @returns the names of the applied migrations
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const migrations = readMigrations()
  return underMigrationLock(connection, async (client) => {
    const isCluster = await isDistributed(client)
    // A crash loses the newest of them, which are applied again: later commits are written after them. Workers of a
    // cluster, however, would keep what the coordinator has lost.
    if (!isCluster) await client.query('set synchronous_commit = off')
    await client.query(`create table if not exists migrations (
      number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`)
    const applied = await appliedMigrations(client)
    checkHistory(migrations, applied)
    const missing = migrations.filter((migration) => !applied.has(migration.number))
    // Tables that an interrupted distribution has left: those of the migrations may refer to them.
    if (isCluster) await placeNewTables(client)
    for (const migration of missing) await apply(client, migration, isCluster)
    await assumeOneEnvironment(client)
    return missing.map((migration) => migration.name)
  })
}

/** Runs a function while no other process changes the schema. */
export const underMigrationLock = <Result>(
  connection: Connection,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> =>
  withClient(connection, noLimits, async (client) => {
    // A statement that waits for the lock would keep a snapshot, for which a concurrent index build waits.
    while (!(await client.query('select pg_try_advisory_lock($1) as got', [migrationLock])).rows[0].got)
      await sleep(lockRetryMs)
    return work(client)
  })

/** The names of migrations that the database lacks. */
export async function pendingMigrations(connection: Connection): Promise<string[]> {
  const migrations = readMigrations()
  return withClient(connection, usualLimits, async (client) => {
    const { rows } = await client.query("select to_regclass('migrations') is not null as found")
    const applied = rows[0].found ? await appliedMigrations(client) : new Map()
    checkHistory(migrations, applied)
    return migrations.filter((migration) => !applied.has(migration.number)).map((migration) => migration.name)
  })
}

async function withClient<Result>(
  connection: Connection,
  limits: Limits,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openSession(connection, limits, (address) => {
    const config = {
      application_name: 'backline migrate',
      connectionTimeoutMillis: 5_000,
      ...keepAlive,
      ...address,
    }
    // The query fails too; without a listener the error would end the process.
    return new pg.Client(config).on('error', () => undefined)
  })
  try {
    return await work(client)
  } finally {
    await client.end() // releases the advisory lock too
  }
}

async function appliedMigrations(
  client: pg.Client,
): Promise<Map<number, { name: string; checksum: string }>> {
  const { rows } = await client.query('select number, name, checksum from migrations')
  return new Map(rows.map((row) => [row.number, row]))
}

function checkHistory(
  migrations: Migration[],
  applied: Map<number, { name: string; checksum: string }>,
): void {
  for (const migration of migrations) {
    const before = applied.get(migration.number)
    if (before && before.checksum !== migration.checksum) {
      throw new MigrationError(
        `Migration ${migration.name} was changed after it was applied; add a new migration instead`,
      )
    }
  }
  const newest = Math.max(0, ...applied.keys())
  if (newest > migrations.length) {
    throw new MigrationError(
      `The database is at migration ${newest}, but this version of Backline knows only ${migrations.length}; use a newer version of Backline`,
    )
  }
}

/** In a cluster, tables are placed after each statement: the next one may let a distributed table refer to them. */
async function apply(client: pg.Client, migration: Migration, isCluster: boolean): Promise<void> {
  const { number, name, statements, isOnline, checksum } = migration
  try {
    if (!isOnline) await client.query('begin')
    // Otherwise Citus refuses to alter a reference table after a distributed one in the same transaction.
    if (!isOnline && isCluster) await client.query("set local citus.multi_shard_modify_mode = 'sequential'")
    for (const statement of statements) {
      await client.query(statement)
      if (isCluster) await placeNewTables(client)
    }
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
    if (!isOnline) await client.query('commit')
  } catch (error) {
    if (!isOnline) await client.query('rollback')
    throw new MigrationError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

/** Migrations are plain DDL: a semicolon at the end of a line ends a statement. */
const splitStatements = (text: string): string[] =>
  text
    .split(/;[ \t]*(?:\r?\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replace(/--.*$/gm, '').trim() !== '')
