import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { urlOf } from '../databases.ts'
import { type Client, clientOf, service, type World } from '../harness.ts'
import { startWorker } from '../hooks.ts'
import { ended, resultsOf, started } from '../jobs.ts'
import {
  cleanUp,
  killEverything,
  postmasterPid,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from '../processes.ts'
import { isFull } from './lengths.ts'

/*
 * Jobs whose workers are killed in the middle, with SIGKILL, again and again. The server of `service()` only serves
 * requests; real processes do the work.
 */

const api = service()

after(cleanUp)

const count = isFull ? 4_000 : 400
const kills = isFull ? 12 : 3

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

/** Ends the lease of a job, as time does. */
const endLease = ({ environments }: World): Promise<unknown> =>
  api.db.write(sql`update due_work set retry_at = now() where tenant_id = ${environments.test.tenantId}
    and duty = 'job' and retry_at is not null`)

async function conversations(client: Client, tag: string): Promise<string[]> {
  const ids: string[] = []
  const create = async () => {
    while (ids.length < count) {
      const place = ids.push('') - 1
      const { status, body, text } = await client.post('/v1/conversations', {
        external_user_id: `user_${place % 50}`,
        tags: [tag],
        message: { body: `Message ${place}` },
      })
      assert.equal(status, 201, text)
      ids[place] = body.id
    }
  }
  await Promise.all(Array.from({ length: 16 }, create))
  return ids
}

/** Kills the worker and starts another one while the job runs, then lets it end. */
async function whileKilling(world: World, job: Body): Promise<Body> {
  let worker: ServerProcess = await startWorker(api)
  const isEnded = async () => (await world.test.get(`/v1/jobs/${job.id}`)).body.ended_at !== null
  for (let i = 0; i < kills && !(await isEnded()); i++) {
    await sleep(150 + Math.random() * 400)
    await worker.stop('SIGKILL')
    await endLease(world)
    worker = await startWorker(api)
  }
  const done = await ended(world.test, job)
  await worker.stop()
  return done
}

test('a bulk job does everything once, although its workers are killed', async () => {
  const world = await api.world()
  const ids = await conversations(world.test, 'outage')
  const job = await whileKilling(
    world,
    await started(world.test, '/v1/bulk', {
      selection: { filter: { field: 'tags', op: 'contains', value: 'outage' } },
      actions: [
        { type: 'note', body: 'It works again' },
        { type: 'add_tags', tags: ['told'] },
      ],
    }),
  )
  assert.equal(job.status, 'succeeded')
  assert.deepEqual(job.progress, { done: count, total: count, failed: 0 })
  const results = await resultsOf(world.test, job)
  assert.deepEqual(
    results.map(({ index }) => index),
    Array.from({ length: count }, (_, i) => i),
  )
  assert.deepEqual(results.map(({ id }) => id).sort(), [...ids].sort())
  const rows = await api.db.rows<{ message_count: number; notes: number }>(sql`select message_count,
      (select count(*) from messages m where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.visibility = 'internal') as notes
    from conversations c where tenant_id = ${world.environments.test.tenantId}`)
  assert.equal(rows.length, count)
  for (const row of rows) assert.deepEqual(row, { message_count: 2, notes: 1 })
})

test('two workers share a job without doing anything twice, and a cancelled one stops', async () => {
  const world = await api.world()
  await conversations(world.test, 'outage')
  const workers = await Promise.all([startWorker(api), startWorker(api)])
  const input = {
    selection: { filter: { field: 'tags', op: 'contains', value: 'outage' } },
    actions: [{ type: 'note', body: 'It works again' }],
  }
  const [one, other] = [
    await started(world.test, '/v1/bulk', input),
    await started(world.test, '/v1/bulk', input),
  ]
  // A lease that ends too early, as after a long pause of a process.
  for (let i = 0; i < 5; i++) {
    await sleep(60)
    await endLease(world)
  }
  const cancelled = await world.test.post(`/v1/jobs/${other.id}/cancel`)
  const [done, stopped] = [await ended(world.test, one), await ended(world.test, other)]
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.deepEqual(done.progress, { done: count, total: count, failed: 0 })
  if (cancelled.status === 200) assert.equal(stopped.status, 'cancelled')
  const [{ notes }] = (await api.db.rows<{ notes: number }>(sql`select count(*) as notes from messages
    where tenant_id = ${world.environments.test.tenantId} and visibility = 'internal'`)) as [
    { notes: number },
  ]
  assert.equal(notes, count + stopped.progress.done)
})

test('a server that only serves the API hands back the job of a clock that it moves, when it stops', async () => {
  const world = await api.world()
  const { body } = await world.test.post('/v1/conversations', { external_user_id: 'user_1' })
  const input = { selection: { ids: [body.id] }, actions: [{ type: 'note', body: 'It works again' }] }
  const job = await started(world.test, '/v1/bulk', input)
  const server = await startServer({
    environment: {
      DATABASE_URL: urlOf(api.connection),
      BACKLINE_FILES_DIR: api.filesDir,
      BACKLINE_ROLE: 'api',
    },
  })
  // The job gets no further.
  await api.db.write(sql`alter table job_results add constraint none check (place < 0) not valid`)
  const moving = clientOf(server.url, world.test.key)
    .post('/v1/test_clock/advance', { seconds: 1 })
    .catch(() => null)
  const statusOf = async () => (await world.test.get(`/v1/jobs/${job.id}`)).body.status
  await until('the job is running', async () => (await statusOf()) === 'running')
  await server.stop()
  await moving
  await api.db.write(sql`alter table job_results drop constraint none`)
  const worker = await startWorker(api)
  const done = await ended(world.test, job)
  assert.equal(done.status, 'succeeded', JSON.stringify(done))
  await worker.stop()
  const rows = await api.db.rows(
    sql`select attempts from jobs where tenant_id = ${world.environments.test.tenantId}`,
  )
  assert.deepEqual(rows, [{ attempts: 1 }]) // that of the worker
})

test('an export whose workers are killed begins its snapshot anew and says so', async () => {
  const world = await api.world()
  await conversations(world.test, 'x')
  const job = await whileKilling(world, await started(world.test, '/v1/exports', {}))
  assert.equal(job.status, 'succeeded', JSON.stringify(job.error))
  const { objects } = job.result.manifest
  assert.equal(objects.conversations.count, count)
  assert.equal(objects.messages.count, count)
  const left = await api.db.rows(
    sql`select 1 from files where tenant_id = ${world.environments.test.tenantId}`,
  )
  assert.equal(left.length, job.result.parts.length)
})

test('a job and its export survive kills of PostgreSQL and of everything', async () => {
  const dataDir = temporaryDirectory()
  let server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
  const { environment } = server
  const client = clientOf(server.url, (await server.firstKeys()).test)
  const ids = await conversations(client, 'outage')
  const job = await started(client, '/v1/bulk', {
    selection: { ids },
    actions: [{ type: 'note', body: 'It works again' }],
  })
  const copy = await started(client, '/v1/exports', { objects: ['conversations', 'messages'] })
  await sleep(200 + Math.random() * 300)
  process.kill((await postmasterPid(dataDir))!, 'SIGKILL')
  const answers = async () => {
    const { status } = await client.get(`/v1/jobs/${job.id}`).catch(() => ({ status: 0 }))
    return status === 200
  }
  await until('PostgreSQL is back', answers)
  await sleep(Math.random() * 300)
  await killEverything(server, dataDir)
  server = await startServer({ environment })
  const done = await ended(client, job)
  assert.deepEqual([done.status, done.progress], ['succeeded', { done: count, total: count, failed: 0 }])
  assert.deepEqual(
    (await resultsOf(client, job)).map(({ id }) => id),
    ids,
  )
  for (const id of ids.filter((_, i) => i % 20 === 0)) {
    const { body } = await client.get(`/v1/conversations/${id}/messages?visibility=internal`)
    assert.equal(body.data.length, 1)
  }
  const { manifest } = (await ended(client, copy)).result
  assert.equal(manifest.objects.conversations.count, count)
  await server.stop()
})
