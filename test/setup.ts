import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../src/db/database.ts'
import { type EmbeddedPostgres, startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate } from '../src/db/migrate.ts'
import { inDatabase, templateDatabase } from './databases.ts'

/*
 * Runs once before all test files: a PostgreSQL (the embedded one, or that of DATABASE_URL) and in it a migrated
 * database, which every test file clones. The files learn of it by BACKLINE_TEST_CONNECTION.
 */
let embedded: EmbeddedPostgres | null = null
let directory = ''

export async function globalSetup(): Promise<void> {
  let connection: Connection | undefined = process.env.DATABASE_URL
  if (!connection) {
    directory = await mkdtemp(join(tmpdir(), 'backline-test-'))
    embedded = await startEmbedded({ dataDir: directory, purpose: 'server', log: () => undefined })
    connection = embedded.connection
  }
  process.env.BACKLINE_TEST_CONNECTION = JSON.stringify(connection)
  const client = new pg.Client(connection)
  await client.connect()
  if (embedded) {
    // What a machine that loses power would leave of this cluster is of no interest; tests that kill have their own.
    await client.query('alter system set fsync = off')
    await client.query('select pg_reload_conf()')
  }
  await client.query(`drop database if exists ${templateDatabase}`)
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  await migrate(inDatabase(connection, templateDatabase))
}

export async function globalTeardown(): Promise<void> {
  await embedded?.stop()
  if (directory) await rm(directory, { recursive: true, force: true })
}
