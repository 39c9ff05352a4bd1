import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { run as runCommand } from '../command-line.ts'
import { cloneDatabase, secretKey, urlOf } from '../databases.ts'
import { installStandIn } from './stand-in.ts'

describe('backline distribute', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  let environment: Record<string, string>

  before(async () => {
    const database = await cloneDatabase()
    drop = database.drop
    client = new pg.Client(database.connection)
    await client.connect()
    environment = {
      DATABASE_URL: urlOf(database.connection),
      BACKLINE_SECRET_KEY: secretKey,
    }
  })
  after(async () => {
    await client?.end()
    await drop?.()
  })

  const run = (...args: string[]) => runCommand(environment, 'distribute', ...args)
  const placed = async (): Promise<{ name: string; method: string; colocated: string | null }[]> =>
    (
      await client.query(
        'select logicalrelid::text as name, partmethod as method, colocated from citus_stand_in.pg_dist_partition order by calls',
      )
    ).rows

  test('one PostgreSQL is refused, with what to do', async () => {
    const { code, stdout, stderr } = await run('--json')
    assert.deepEqual([code, stdout], [1, ''])
    const { error } = JSON.parse(stderr)
    assert.equal(error.code, 'not_distributable')
    assert.match(error.message, /the extension citus is not installed: .*create extension citus/)
  })

  test('a flag takes no value', async () => {
    const { code, stderr } = await run('--dry-run=yes')
    assert.equal(code, 2)
    assert.match(stderr, /unknown option '--dry-run=yes'/)
  })

  describe('on a stand-in for Citus', () => {
    before(() => installStandIn(client))

    test('a cluster without workers, one that does not know its coordinator, and a worker are refused', async () => {
      assert.match(
        (await run()).stderr,
        /coordinator is not registered in the cluster: .*citus_set_coordinator_host/,
      )
      await client.query('insert into pg_dist_node values (0, true, false)')
      assert.match((await run()).stderr, /has no worker: .*citus_add_node/)
      await client.query('insert into pg_dist_node values (1, true, true)')
      await client.query('update pg_dist_local_group set groupid = 1')
      assert.match((await run()).stderr, /refers to a worker/)
      await client.query('update pg_dist_local_group set groupid = 0')
    })

    test('--dry-run tells all and does nothing', async () => {
      const { code, stdout } = await run('--dry-run')
      assert.equal(code, 0)
      assert.match(stdout, /^events +distributed by environment$/m)
      assert.match(stdout, /^workspaces +copied to every server$/m)
      assert.match(stdout, /^conversations +distributed by environment$/m)
      assert.match(stdout, /Nothing was changed\.\n$/)
      assert.deepEqual(await placed(), [])
    })

    test('every table is placed, in an order that foreign keys allow, and a second time nothing is done', async () => {
      const first = await run('--json')
      assert.equal(first.code, 0, first.stderr)
      const { steps } = JSON.parse(first.stdout)
      const all = await placed()
      assert.deepEqual(
        all.map(({ name }) => name),
        steps.map(({ table }: { table: string }) => table),
      )
      const { rows } = await client.query(
        "select count(*)::integer as count from pg_tables where schemaname = 'public'",
      )
      assert.equal(all.length, rows[0].count)
      assert.equal(all.find(({ name }) => name === 'events')!.method, 'h')
      assert.match(all.find(({ name }) => name === 'conversations')!.colocated!, /^tenant_id with \w+$/)

      const second = await run()
      assert.equal(second.stdout, `Nothing to do: ${all.length} tables are already placed.\n`)
      assert.equal((await placed()).length, all.length)
    })

    test('what broke off goes on, and tables of a new migration join the others', async () => {
      const before = await placed()
      await client.query(
        "delete from pg_dist_partition where logicalrelid in ('messages'::regclass, 'events'::regclass)",
      )
      await client.query(`create table public.newborns (tenant_id uuid, id uuid, tag_id uuid, primary key (tenant_id, id),
        foreign key (tenant_id, tag_id) references tags (tenant_id, id))`)
      // The migration is applied, and the distribution was interrupted.
      assert.equal((await runCommand(environment, 'migrate')).code, 0)
      assert.deepEqual(
        (await placed()).map(({ name }) => name).toSorted(),
        [...before.map(({ name }) => name), 'newborns'].toSorted(),
      )
    })

    test('a table that somebody has put elsewhere is told, with what to do', async () => {
      await client.query(
        "update pg_dist_partition set partmethod = 'n', repmodel = 't' where logicalrelid = 'events'::regclass",
      )
      const { code, stderr } = await run('--json')
      const { error } = JSON.parse(stderr)
      assert.deepEqual([code, error.code], [1, 'not_distributable'])
      assert.match(error.message, /events is reference .*undistribute_table\('events'\)/)
    })
  })
})
