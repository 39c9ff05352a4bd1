import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findRunning } from '@backline/embedded-postgres'
import pg from 'pg'
import { send, startLoad } from '../load.ts'
import { cleanUp, startServer, until } from '../processes.ts'
import { fill, mountDisk } from './disks.ts'
import { isFull } from './lengths.ts'
import {
  assertRefusals,
  assertUnavailable,
  assertWritten,
  retryAll,
  sharedConversations,
  writesAreDone,
} from './written.ts'

/* The data directory has a separate small disk, which the test fills. Only root may mount one. */

const sizeMb = 320
const clients = 16
/** The number of reads from a full disk, before and after PostgreSQL has ended. */
const looks = isFull ? 200 : 15
const patienceMs = 60_000

after(cleanUp)

test('while the disk is full writes are 503; when there is room again all is well by itself', async (t) => {
  const disk = mountDisk(t, sizeMb)
  if (!disk) return
  const dataDir = join(disk, 'data')
  const server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
  const apiKey = (await server.firstKeys()).test
  const session = new pg.Client((await findRunning(dataDir))!)
  session.on('error', () => undefined) // PostgreSQL ends first
  await session.connect()
  const shared = await sharedConversations(server, apiKey)
  const load = startLoad({
    ...{ url: server.url, apiKey, name: 'full', clients, shared: shared.ids, onSilence: 'fail' },
  })
  t.after(() => load.stop().catch(() => undefined))
  await writesAreDone(load)

  const ballast = join(disk, 'ballast')
  const reads = new Map<number, number>()
  const readOnce = async () => {
    const reply = await send(server.url, apiKey, 'GET', `/v1/conversations/${shared.ids[0]}`)
    reads.set(reply.status, (reads.get(reply.status) ?? 0) + 1)
    if (reply.status !== 200) assertUnavailable(reply)
  }
  await until(
    'writes are refused',
    async () => {
      fill(ballast) // repeatedly: takes the space that PostgreSQL releases
      await readOnce()
      return load.refusals.length > clients
    },
    patienceMs,
  )
  for (let i = 0; i < looks; i++) {
    fill(ballast)
    await readOnce()
    await sleep(50)
  }
  // PostgreSQL cannot continue without a new WAL file: it ends, and cannot start again before space is free.
  await session.query('select pg_switch_wal()').catch(() => undefined)
  const refused = load.refusals.length
  await until('requests are refused', () => load.refusals.length > refused + clients)
  for (let i = 0; i < looks; i++) {
    fill(ballast)
    await readOnce()
    await sleep(50)
  }
  assert.equal((await send(server.url, apiKey, 'GET', '/healthz')).status, 200)

  rmSync(ballast)
  await writesAreDone(load, patienceMs)
  await load.stop()
  assertRefusals(load)
  const counts = [...reads].map(([status, count]) => `${count} × ${status}`).join(', ')
  t.diagnostic(`${load.refusals.length} writes refused; reads meanwhile: ${counts}`)
  await retryAll(server, apiKey, load.writes)
  await assertWritten(server, apiKey, (await findRunning(dataDir))!, [...shared.writes, ...load.writes])
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
