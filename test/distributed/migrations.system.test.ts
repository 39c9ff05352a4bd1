import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readMigrations } from '@backline/server/platform/postgres/migrate.ts'
import { urlOf } from '../databases.ts'
import { cleanUp, launch, until } from '../processes.ts'
import { distributedAt, placementsOf, presentSchema, schemaOf } from './upgrades.ts'

/** The last migration before the one that failed half-way on a cluster. */
const migrationBefore = 33
const tags = `insert into tags (tenant_id, id, name, name_key, archived, created_at, updated_at, version)
  select gen_random_uuid(), gen_random_uuid(), number, number, false, now(), now(), 1 from generate_series(1, 9) number`

after(cleanUp)

test('an upgrade of a distributed database ends right, although the process is killed at each of its commands', async (t) => {
  const { client, connection, drop } = await distributedAt(migrationBefore)
  t.after(drop)
  await client.query(tags)
  const rows = async (query: string) => (await client.query(query)).rows
  const before = await rows('select * from tags order by id')
  const newest = async () => (await rows('select max(number) as number from migrations'))[0].number
  /** PostgreSQL completes the command of a killed process before it notices. */
  const isAlone = async () =>
    (
      await rows(`select from pg_stat_activity
      where application_name = 'backline migrate' and datname = current_database()`)
    ).length === 0

  let kills = 0
  let applied = migrationBefore
  for (let command = 1; ; command++) {
    const interrupted = launch({
      command: [process.execPath, 'test/distributed/interrupted-migrate.ts', String(command)],
      environment: { DATABASE_URL: urlOf(connection) },
    })
    const { code, signal } = await interrupted.ended()
    if (code === 0) break
    assert.equal(signal, 'SIGKILL', interrupted.output)
    kills++
    await until('the session has ended', isAlone)
    const reached = await newest()
    assert.ok(reached <= applied + 1, `${reached} after ${applied}: a migration was not interrupted`)
    if (reached > applied) command = 1
    applied = reached
  }

  assert.equal(await schemaOf(client), await presentSchema())
  const unbroken = await distributedAt(readMigrations().length)
  t.after(unbroken.drop)
  assert.deepEqual(await placementsOf(client), await placementsOf(unbroken.client))
  assert.deepEqual(await rows('select * from tags order by id'), before)
  t.diagnostic(`${kills} kills`)
})
