import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openServerDatabase } from '@backline/server/compose/database.ts'
import { optimized } from '@backline/server/compose/optimizations.ts'
import { PoolerError, requireSessionMode } from '@backline/server/platform/postgres/session.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import pg from 'pg'
import { secretKey } from './databases.ts'
import { conversation, succeeded } from './desk.ts'
import { clientOf, service } from './harness.ts'
import { openPooler, type Pooler } from './pooler.ts'
import { cleanUp, freePort, launch, startServer } from './processes.ts'

const api = service()
after(cleanUp)

const command = async (url: string, ...args: string[]) => {
  const environment = { DATABASE_URL: url, PORT: String(await freePort()), BACKLINE_SECRET_KEY: secretKey }
  const process = launch({ environment, command: [globalThis.process.execPath, ...args] })
  const { code } = await process.ended()
  return { code, stdout: process.stdout, stderr: process.stderr }
}
const doctor = async (url: string) => {
  const { stdout } = await command(url, 'packages/cli/src/main.ts', 'doctor', '--json')
  const { name: _, ...check } = JSON.parse(stdout).checks.find(
    ({ name }: { name: string }) => name === 'database',
  )
  return check
}

describe('through a pooler in session mode', () => {
  let pooler: Pooler
  before(async () => {
    pooler = await openPooler(api.connection, 'session')
  })
  after(() => pooler.close())

  test('each connection has its limits from its first statement on', async () => {
    const db = openServerDatabase(pooler.url, () => undefined, optimized)
    const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
    const many = <Result>(ask: () => Promise<Result>) => Promise.all(Array.from({ length: 20 }, ask))
    try {
      const answers = await Promise.all([
        many(() => db.rows(limits)),
        many(() => db.write(limits)),
        many(() => db.slowRows(limits)),
        many(async () => [await db.forKeys.maybe(limits)]),
      ])
      for (const [i, lock] of ['500ms', '2s', '2s', '2s'].entries())
        for (const rows of answers[i]!) assert.deepEqual(rows, [{ statement: '10s', lock }])
    } finally {
      await db.close()
    }
  })

  test('a server and the command line work', async () => {
    const server = await startServer({ environment: { DATABASE_URL: pooler.url } })
    const client = clientOf(server.url, (await api.world()).test.key)
    const { id } = await conversation(client)
    assert.equal(succeeded(await client.get(`/v1/conversations/${id}`)).id, id)
    assert.equal(succeeded(await client.get('/v1/conversations')).data.length, 1)
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
    const { status, advice } = await doctor(pooler.url)
    assert.deepEqual({ status, advice }, { status: 'ok', advice: null })
    await server.stop()
  })
})

describe('through a pooler in transaction mode', () => {
  const problem = 'a connection pooler in transaction mode is not supported'
  const advice =
    'use session mode (pool_mode = session in PgBouncer), or set DATABASE_URL to PostgreSQL itself'
  let pooler: Pooler
  before(async () => {
    pooler = await openPooler(api.connection, 'transaction')
  })
  after(() => pooler.close())

  test('the server and the command line refuse in one sentence, and leave no lock', async () => {
    for (const args of [
      ['packages/server/src/main.ts'],
      ['packages/cli/src/main.ts', 'migrate'],
      ['packages/cli/src/main.ts', 'workspaces', 'list'],
    ]) {
      const { code, stderr } = await command(pooler.url, ...args)
      assert.deepEqual([code, stderr.replace(/^error: /, '')], [1, `${problem}: ${advice}\n`], args.join(' '))
    }
    const locks = await api.db.rows(sql`select 1 from pg_locks join pg_database d on d.oid = pg_locks.database
      where locktype = 'advisory' and datname = current_database()`)
    assert.deepEqual(locks, [])
  })

  test('it is recognised while others use the pool, too', async () => {
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const client = new pg.Client(pooler.url)
        await client.connect()
        return client
      }),
    )
    let busy = true
    const traffic = others.map(async (client) => {
      while (busy) await client.query('select 1')
    })
    try {
      for (let i = 0; i < 5; i++) await assert.rejects(requireSessionMode(pooler.url), PoolerError)
    } finally {
      busy = false
      await Promise.all(traffic)
      await Promise.all(others.map((client) => client.end()))
    }
  })

  test('doctor says what to do', async () => {
    const check = await doctor(pooler.url)
    assert.deepEqual(check, {
      status: 'fault',
      detail: `external: ${problem}`,
      advice,
      facts: { kind: 'external' },
    })
  })
})
