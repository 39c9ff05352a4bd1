import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import pg from 'pg'

export const templateDatabase = 'backline_template'

/** The key that encrypts secrets in all test processes, so that they can share databases. */
export const secretKey = Buffer.alloc(32, 'tests').toString('base64')

/** Returns the connection to another database of the same server. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (typeof connection !== 'string') return { ...connection, database }
  const url = new URL(connection)
  url.pathname = `/${database}`
  return url.href
}

let clones = 0

/**
 * Clones the migrated database. PostgreSQL copies its files, in half of the time that it takes to log its pages.
 * `BACKLINE_TEST_CLUSTER` is the URL of a distributed database, which cannot be cloned: all test files use it, and must
 * not need one of their own.
 */
export async function cloneDatabase(): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const cluster = process.env.BACKLINE_TEST_CLUSTER
  if (cluster) return { connection: cluster, drop: async () => undefined }
  return createDatabase(templateDatabase)
}

/** Creates an empty database. */
export const emptyDatabase = () => createDatabase('template0')

async function createDatabase(template: string): Promise<{ connection: Connection; drop(): Promise<void> }> {
  const given = process.env.BACKLINE_TEST_CONNECTION
  if (!given) throw new Error('Run tests with npm test, or npm run test:file -- <file>')
  const server: Connection = JSON.parse(given)
  const name = `backline_test_${process.pid}_${++clones}`
  const admin = async (statement: string) => {
    const client = new pg.Client(server)
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await admin(`create database ${name} template ${template} strategy file_copy`)
  return {
    connection: inDatabase(server, name),
    drop: () => admin(`drop database if exists ${name} with (force)`),
  }
}

/** Returns a connection in the form of DATABASE_URL. */
export function urlOf(connection: Connection): string {
  if (typeof connection === 'string') return connection
  const { host, port, user, database } = connection
  return `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
}

/** Makes an empty database one of an earlier version: applies the first `count` migrations, also online ones. */
export async function applyMigrations(client: pg.Client, count: number): Promise<void> {
  await client.query(
    'create table migrations (number integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const { number, name, checksum, statements } of readMigrations().slice(0, count)) {
    for (const statement of statements) await client.query(statement)
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [
      number,
      name,
      checksum,
    ])
  }
}
