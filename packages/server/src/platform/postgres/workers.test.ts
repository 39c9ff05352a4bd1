import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { suffix } from '@backline/test/one-shard.ts'
import pg from 'pg'
import { probeWorkers, type WorkerProbe } from './cluster-probe.ts'
import { DatabaseUnavailable, toDatabaseError } from './errors.ts'

describe('an environment in a cluster', () => {
  const shardId = Number(suffix.slice(1))
  let client: Client
  let mover: pg.Client
  after(() => mover?.end()) // before the service drops the database
  const api = service({ onOneShard: true })
  before(async () => {
    client = (await api.world()).test
    mover = new pg.Client(api.connection)
    await mover.connect()
    // The other worker is the same server, so that the tables of the shard are there after a move.
    await mover.query(
      "insert into pg_dist_node select 2, nodename, nodeport, 'primary', true from pg_dist_node",
    )
  })

  const count = async (): Promise<number> =>
    (await mover.query(`select count(*)::integer as count from conversations${suffix}`)).rows[0].count
  const place = (groupId: number) =>
    mover.query('update pg_dist_placement set groupid = $1 where shardid = $2', [groupId, shardId])

  /** The last phase of a move; returns the number of rows that were written during it. */
  async function move(groupId: number): Promise<number> {
    await mover.query('begin')
    await mover.query('select pg_advisory_xact_lock($1)', [shardId])
    const before = await count()
    await mover.query('select pg_sleep(0.03)')
    const written = (await count()) - before
    await place(groupId)
    await mover.query('commit')
    return written
  }

  test('is written once by each request while it moves, and not at all during the last phase of a move', async () => {
    const [first, ids] = [await count(), new Set<string>()]
    let moves = 0
    const create = async () => {
      while (moves < 10) ids.add((await conversation(client)).id)
    }
    const creating = Promise.all([create(), create(), create(), create()])
    const written: number[] = []
    for (; moves < 10; moves++) written.push(await move(moves % 2 === 0 ? 2 : 1))
    await creating
    assert.deepEqual(written, Array(10).fill(0))
    assert.equal((await count()) - first, ids.size)
  })

  test('is neither read nor written where it was', async () => {
    const { id } = await conversation(client)
    const requests = [
      () => client.post('/v1/conversations', { external_user_id: 'user' }),
      ...[`/v1/conversations/${id}`, '/v1/conversations', '/v1/conversations?q=card'].map(
        (path) => () => client.get(path),
      ),
    ]
    for (const request of requests) {
      await place(1)
      // The server knows where it is, and the facts that a create depends on.
      for (let i = 0; i < 2; i++) succeeded(await request())
      const before = await count()
      await place(3) // a worker that nobody knows
      assert.equal((await request()).status, 503)
      assert.equal(await count(), before)
    }
    await place(1)
    for (const request of requests) succeeded(await request())
  })

  test('is found again after the table that a shard has left is gone', async () => {
    const { id } = await conversation(client)
    await mover.query(`alter table conversations${suffix} rename to gone`)
    const requests = Promise.all([client.get(`/v1/conversations/${id}`), conversation(client)])
    await mover.query('select pg_sleep(0.1)')
    await mover.query(`alter table gone rename to conversations${suffix}`)
    succeeded((await requests)[0])
  })

  test('is written by statements of its own for tables of which each server has a copy', async () => {
    const { name } = succeeded(await client.patch('/v1/workspace', { name: `Renamed ${shardId}` }))
    assert.equal(succeeded(await client.get('/v1/workspace')).name, name)
    const key = succeeded(await client.post('/v1/api_keys', { name: 'Own', scopes: ['tags:read'] }))
    succeeded(await api.client(key.secret).get('/v1/tags'))
    assert.equal((await client.post(`/v1/api_keys/${key.id}/rotate`, {})).status, 200)
  })

  test('is in a cluster that a probe finds to behave as needed, unless its lock does not keep a shard in place', async () => {
    const probe = () => probeWorkers(api.db, api.connection)
    const [{ problem, isReachable }] = (await probe()) as [WorkerProbe]
    assert.deepEqual({ problem, isReachable }, { problem: null, isReachable: true })
    await mover.query(
      `create or replace function lock_shard_metadata(integer, bigint[]) returns void language sql as ''`,
    )
    assert.match((await probe())[0]!.problem!, /does not keep a shard from moving/)
  })

  test('is unavailable while Citus cannot reach another server of the cluster', () => {
    const message = 'failure on connection marked as essential: 10.0.0.2:5432'
    assert.ok(
      toDatabaseError(Object.assign(new Error(message), { code: 'XX000' })) instanceof DatabaseUnavailable,
    )
  })
})
