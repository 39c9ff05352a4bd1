import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { urlOf } from '../databases.ts'
import { type Client, clientOf, service, type World } from '../harness.ts'
import { startWorker } from '../hooks.ts'
import { ended, started } from '../jobs.ts'
import { cleanUp, startServer, until } from '../processes.ts'
import { isFull } from './lengths.ts'

/* Jobs that several processes have, and that are cancelled. The server of `service()` only serves requests. */

const api = service()

after(cleanUp)

const count = isFull ? 4_000 : 400

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
