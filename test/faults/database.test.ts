import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunning, startEmbedded } from '@backline/embedded-postgres'
import pg from 'pg'
import { send, startLoad } from '../load.ts'
import { cleanUp, startServer, temporaryDirectory, until } from '../processes.ts'
import { isFull } from './lengths.ts'
import {
  assertRefusals,
  assertUnavailable,
  assertWritten,
  retryAll,
  sharedConversations,
  writesAreDone,
} from './written.ts'

/* The database runs and fails: it is stopped, drops connections, delays requests. */

const clients = isFull ? 64 : 16

after(cleanUp)

/** A server under a write load until the test ends, and another session on its database. */
async function serverUnderLoad(t: TestContext) {
  const dataDir = temporaryDirectory()
  const server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
  const apiKey = (await server.firstKeys()).test
  const connection = (await findRunning(dataDir))!
  const shared = await sharedConversations(server, apiKey)
  const session = new pg.Client(connection)
  await session.connect()
  session.on('error', () => undefined) // its database stops first
  const load = startLoad({
    ...{ url: server.url, apiKey, name: 'trouble', clients, shared: shared.ids, onSilence: 'fail' },
  })
  t.after(async () => {
    await load.stop().catch(() => undefined)
    await session.end()
  })
  await writesAreDone(load)
  return { server, apiKey, connection, shared, session, load }
}

/** Asserts that writes succeed again, that errors were the expected ones, and that each write took effect once. */
async function assertOvercome(
  t: TestContext,
  { server, apiKey, connection, shared, load }: Awaited<ReturnType<typeof serverUnderLoad>>,
): Promise<void> {
  await writesAreDone(load)
  await load.stop()
  assertRefusals(load)
  t.diagnostic(`${load.refusals.length} refusals, longest answer ${Math.round(load.longestMs)} ms`)
  await retryAll(server, apiKey, load.writes)
  await assertWritten(server, apiKey, connection, [...shared.writes, ...load.writes])
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
}

test('connections that are lost in the midst of transactions are 503, and nothing is done twice', async (t) => {
  const trouble = await serverUnderLoad(t)
  const terminations = isFull ? 300 : 30
  let terminated = 0
  for (let i = 0; i < terminations; i++) {
    const { rowCount } = await trouble.session.query(
      `select pg_terminate_backend(pid) from (select pid from pg_stat_activity
         where application_name = 'backline' order by random() limit 2) chosen`,
    )
    terminated += rowCount ?? 0
    await sleep(Math.random() * 60)
  }
  await until('requests were refused', () => trouble.load.refusals.length > 0)
  t.diagnostic(`${terminated} connections were lost`)
  await assertOvercome(t, trouble)
})

test('requests that wait for a table that somebody holds are 503 in time, and go on when it is given back', async (t) => {
  const trouble = await serverUnderLoad(t)
  const { session, load, server, apiKey } = trouble
  await session.query('begin')
  await session.query('lock table conversations in access exclusive mode')
  await until('requests are refused', () => load.refusals.length > 4)
  assertUnavailable(await send(server.url, apiKey, 'GET', '/v1/conversations'))
  assert.equal((await send(server.url, apiKey, 'GET', '/healthz')).status, 200)
  if (isFull) await sleep(10_000)
  await session.query('rollback')
  await assertOvercome(t, trouble)
})

test('503 while the database is away, and all is well by itself when it is back', async (t) => {
  const dataDir = join(temporaryDirectory(), 'database')
  mkdirSync(dataDir)
  const start = () => startEmbedded({ dataDir, purpose: 'server', log: () => undefined })
  let database = await start()
  t.after(() => database.stop())
  const { host, user, port } = database.connection
  const url = `postgres://${user}@localhost:${port}/backline?host=${encodeURIComponent(host)}`
  const server = await startServer({ environment: { DATABASE_URL: url } })
  const apiKey = (await server.firstKeys()).live
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status
  assert.equal(await readiness(), 200)

  const load = startLoad({ url: server.url, apiKey, name: 'away', clients, shared: [], onSilence: 'fail' })
  t.after(() => load.stop().catch(() => undefined))
  await writesAreDone(load)
  await database.stop()
  await until('requests are refused', () => load.refusals.length > 4)
  await until('the server is not ready', async () => (await readiness()) === 503)
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  for (const path of ['/v1/conversations', '/readyz'])
    assertUnavailable(await send(server.url, apiKey, 'GET', path))

  database = await start()
  await until('the server is ready again', async () => (await readiness()) === 200)
  await writesAreDone(load)
  await load.stop()
  assertRefusals(load)
  t.diagnostic(`${load.refusals.length} refusals, longest answer ${Math.round(load.longestMs)} ms`)
  await retryAll(server, apiKey, load.writes)
  await assertWritten(server, apiKey, database.connection, load.writes)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
