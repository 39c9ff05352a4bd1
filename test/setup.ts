import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbedded } from '@backline/embedded-postgres'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { migrate } from '@backline/server/platform/postgres/migrate.ts'
import { isConsoleInstalled } from '@backline/server/support/documents/pages/console.ts'
import pg from 'pg'
import { inDatabase, templateDatabase } from './databases.ts'

/*
 * Runs once before all test files. It creates a directory for all files, a PostgreSQL (the embedded one, or that of
 * DATABASE_URL) and a migrated database, which every test file clones. BACKLINE_TEST_CONNECTION passes the connection
 * on. It builds the console if there is none, as `npm ci` does: servers that tests start serve it.
 */
let embedded: EmbeddedPostgres | null = null
/** No test pulls the plug here. A checkpoint, after which pages are logged in full, comes with each new database. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum_naptime: '60s', // each database would have its worker every ten seconds
}
let directory = ''

export async function globalSetup(): Promise<void> {
  if (!(await isConsoleInstalled()))
    execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/prepare.cjs')], {
      stdio: 'inherit',
    })
  directory = await mkdtemp(join(await fastestDirectory(), 'backline-test-'))
  await chmod(directory, 0o755) // PostgreSQL's user must be able to traverse it if this is root
  process.env.TMPDIR = directory
  process.env.NODE_COMPILE_CACHE = join(directory, 'compiled') // types are stripped once, not by each process
  let connection: Connection | undefined = process.env.DATABASE_URL
  if (!connection) {
    embedded = await startEmbedded({ dataDir: directory, purpose: 'server', log: () => undefined, settings })
    connection = embedded.connection
  }
  process.env.BACKLINE_TEST_CONNECTION = JSON.stringify(connection)
  await run(connection, `drop database if exists ${templateDatabase}`)
  await run(connection, `create database ${templateDatabase}`)
  await migrate(inDatabase(connection, templateDatabase))
}

async function run(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement)
  await client.end()
}

export async function globalTeardown(): Promise<void> {
  await embedded?.stop()
  await rm(directory, { recursive: true, force: true })
}

/** Prefers memory if there is enough: a database is hundreds of files, which take long to create on a disk. */
async function fastestDirectory(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > 2 * 2 ** 30 ? memory : tmpdir()
}
