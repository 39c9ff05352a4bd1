import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { applyMigrations, inDatabase } from '@backline/test/databases.ts'
import { service } from '@backline/test/harness.ts'
import pg from 'pg'
import type { Connection } from './database.ts'
import { migrate, readMigrations } from './migrate.ts'

const api = service()
/** The first online migration, 0033, is the next one. */
const migrationBefore = 32

const connected = async (connection: Connection): Promise<pg.Client> => {
  const client = new pg.Client(
    typeof connection === 'string' ? { connectionString: connection } : { ...connection },
  )
  await client.connect()
  return client
}

describe('a database of an earlier version', () => {
  let main: pg.Client
  let former: pg.Client
  let connection: Connection
  const name = `former_${randomBytes(6).toString('hex')}`

  before(async () => {
    main = await connected(api.connection)
    await main.query(`create database ${name}`)
    connection = inDatabase(api.connection, name)
    former = await connected(connection)
    await applyMigrations(former, migrationBefore)
  })
  after(async () => {
    await former.end()
    await main.query(`drop database ${name} with (force)`)
    await main.end()
  })

  const indexes = async () =>
    (
      await former.query<{ name: string; valid: boolean }>(
        `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
        where indrelid = 'conversations'::regclass order by 1`,
      )
    ).rows

  test('an online migration that was interrupted is completed once, by several processes that start at once', async () => {
    // The first statements were carried out, and another left an index of the same name.
    await former.query('create index conversations_status_due on conversations (tenant_id, status)')
    await former.query('create index conversations_status_id on conversations (tenant_id)')
    await former.query('drop index conversations_unclaimed')
    const applied = await Promise.all([migrate(connection), migrate(connection), migrate(connection)])
    const missing = readMigrations().slice(migrationBefore)
    assert.deepEqual(
      applied.flat(),
      missing.map(({ name }) => name),
    )
    const present = await connected(api.connection)
    const { rows } = await present.query(
      `select indexrelid::regclass::text as name, true as valid from pg_index
      where indrelid = 'conversations'::regclass order by 1`,
    )
    await present.end()
    assert.deepEqual(await indexes(), rows)
  })
})
