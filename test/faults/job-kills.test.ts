import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findRunning } from '@backline/embedded-postgres'
import { openServerDatabase } from '@backline/server/compose/database.ts'
import { optimized } from '@backline/server/compose/optimizations.ts'
import type { Database } from '@backline/server/platform/postgres/database.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { type JobType, jobTypes } from '@backline/server/support/jobs/queries.ts'
import { secretKey, urlOf } from '../databases.ts'
import type { Body } from '../desk.ts'
import { clientOf, newWorld } from '../harness.ts'
import { startImport } from '../imports.ts'
import { ended } from '../jobs.ts'
import {
  childrenOf,
  cleanUp,
  isRunning,
  postmasterPid,
  type ServerProcess,
  signalAll,
  startServer,
  temporaryDirectory,
  until,
} from '../processes.ts'
import { jobCases, type Stage } from './job-cases.ts'
import { stateOf } from './job-states.ts'
import { isFull } from './lengths.ts'

/*
 * A job of each type, whose worker and whose PostgreSQL are killed in the middle, ends as the same job does that nobody
 * disturbs. All jobs run at once, in environments of their own, so that each kill is one of all of them.
 */

type Victim = 'worker' | 'PostgreSQL' | 'both'
const victims: Victim[] = ['worker', 'both', 'PostgreSQL']
/** The kills that each job has to be in the middle of. */
const leastKills = isFull ? 6 : 2

const dataDir = temporaryDirectory()
const localDirectory = temporaryDirectory()
let server: ServerProcess
let worker: ServerProcess
let db: Database
let workerEnvironment: Record<string, string>

/** The undisturbed job of each type, and the one whose processes are killed. */
const calm = new Map<JobType, Stage>()
const disturbed = new Map<JobType, Stage>()
/** The kills that each job was in the middle of. */
const survived = new Map<JobType, number>()

const newWorker = () => startServer({ environment: workerEnvironment })

/** The newest job of a type; null if there is none, undefined while PostgreSQL is away. */
async function jobOf(type: JobType, { world }: Stage): Promise<Body> {
  const answer = await world.test.get(`/v1/jobs?type=${type}&limit=1`).catch(() => null)
  return answer?.status === 200 ? (answer.body.data[0] ?? null) : undefined
}

const jobsOf = async (stages: Map<JobType, Stage>): Promise<Map<JobType, Body>> =>
  new Map(
    await Promise.all([...stages].map(async ([type, stage]) => [type, await jobOf(type, stage)] as const)),
  )

/** Ends the leases of killed processes, as time does. */
async function endLeases(): Promise<void> {
  await db.write(sql`update due_work set retry_at = now() where duty = 'job' and retry_at is not null`)
  await db.write(sql`update leases set leased_until = now()`)
}

async function prepare(type: JobType): Promise<Stage> {
  const world = await newWorld(db, Date.now, (key) => clientOf(server.url, key))
  const stage: Stage = { url: server.url, db, world }
  const { lines, prepare } = jobCases[type]
  if (lines) {
    const job = await ended(world.test, await startImport(stage, world.test, lines, { gzip: true }))
    assert.equal(job.status, 'succeeded', JSON.stringify(job))
  }
  await prepare?.(stage)
  return stage
}

/** Starts all jobs. Those that wait for their time begin at once. */
async function startAll(stages: Map<JobType, Stage>): Promise<void> {
  await Promise.all([...stages].map(([type, stage]) => jobCases[type].start(stage)))
  const tenantIds = [...stages.values()].map(({ world }) => world.environments.test.tenantId)
  await db.write(sql`update due_work set due_at = date_trunc('milliseconds', now())
    where tenant_id = any(${tenantIds}::uuid[]) and duty in ('job', 'retention') and due_at > now()`)
}

/** Waits for the ends of all jobs, and of the work that retention leaves behind. */
async function endAll(stages: Map<JobType, Stage>): Promise<void> {
  for (const [type, stage] of stages) {
    const job = await until(`there is a job of the type ${type}`, () => jobOf(type, stage))
    await ended(stage.world.test, job)
  }
  await until('conversations are redacted', async () => {
    const left = await db.rows(sql`select 1 from due_work where duty = 'conversation_removal' limit 1`)
    return left.length === 0
  })
}

const isEnough = (type: JobType) => (survived.get(type) ?? 0) >= leastKills

/** The jobs that are to be killed once more. */
const targets = (jobs: Map<JobType, Body>) =>
  [...jobs].filter(([type, job]) => !isEnough(type) && !job?.ended_at).map(([type]) => type)

/** True if a job was taken by the present worker, and has written some parts. */
const hasGoneOn = (job: Body, before: Body, parts = 1) =>
  job != null && job.version > (before?.version ?? 1) + parts

async function kill(victim: Victim, worker: ServerProcess): Promise<void> {
  const postmaster = (await postmasterPid(dataDir))!
  const pids = victim === 'PostgreSQL' ? [] : [worker.pid]
  if (victim !== 'worker') pids.push(postmaster, ...childrenOf(postmaster))
  signalAll(pids, 'SIGKILL')
  if (victim !== 'PostgreSQL') await worker.ended()
  await until('all killed processes are gone', () => !pids.some(isRunning))
  await until('PostgreSQL is back', async () => {
    if (victim !== 'worker' && (await postmasterPid(dataDir)) === postmaster) return false
    return db.rows(sql`select 1`).catch(() => null)
  })
}

before(async () => {
  const shared = { BACKLINE_SECRET_KEY: secretKey, TMPDIR: localDirectory }
  server = await startServer({
    environment: { BACKLINE_DATA_DIR: dataDir, BACKLINE_ROLE: 'api', ...shared },
  })
  const connection = (await findRunning(dataDir))!
  db = openServerDatabase(connection, () => undefined, optimized)
  // Processes are killed, not the machine: what was written is there without waiting for the disk.
  await db.write(sql`alter system set fsync = off`)
  await db.rows(sql`select pg_reload_conf()`)
  workerEnvironment = {
    DATABASE_URL: urlOf(connection),
    BACKLINE_FILES_DIR: join(dataDir, 'files'),
    BACKLINE_ROLE: 'worker',
    ...shared,
  }
  worker = await newWorker()
  for (const stages of [calm, disturbed])
    await Promise.all(
      jobTypes.map(async (type) => {
        stages.set(type, await prepare(type))
      }),
    )
  await startAll(calm)
  await endAll(calm)
  await worker.stop()
  await startAll(disturbed)
  worker = await newWorker()
  let from = await jobsOf(disturbed)
  for (let kills = 0; targets(from).length > 0; kills++) {
    const victim = victims[kills % victims.length]!
    await until('the jobs that are to be killed have gone on', async () => {
      const now = await jobsOf(disturbed)
      const wanted = targets(now)
      const haveGoneOn = (parts: number) => (type: JobType) => hasGoneOn(now.get(type), from.get(type), parts)
      return wanted.every(haveGoneOn(1)) || wanted.some(haveGoneOn(2))
    })
    await kill(victim, worker)
    const now = await until('the server answers', async () => {
      const jobs = await jobsOf(disturbed)
      return [...jobs.values()].includes(undefined) ? null : jobs
    })
    // A job that runs now was running then: nothing works on it while its worker or PostgreSQL is dead.
    for (const [type, job] of now)
      if (job?.status === 'running' && hasGoneOn(job, from.get(type)))
        survived.set(type, (survived.get(type) ?? 0) + 1)
    from = now
    if (victim === 'PostgreSQL') continue
    await endLeases()
    worker = await newWorker()
  }
  await endAll(disturbed)
})

after(async () => {
  await db?.close()
  await cleanUp()
})

describe('a job that is killed in the middle ends as an undisturbed one', () => {
  for (const type of jobTypes) {
    test(type, async () => {
      const [one, other] = [calm.get(type)!, disturbed.get(type)!]
      const [undisturbed, killed] = [await jobOf(type, one), await jobOf(type, other)]
      assert.ok(isEnough(type), `it was running at ${survived.get(type) ?? 0} kills`)
      const [expected, actual] = await Promise.all([stateOf(one, undisturbed), stateOf(other, killed)])
      assert.ok(expected.isEachPlaceOnce)
      assert.deepEqual(actual, expected)
      if (type === 'export') assert.ok(killed.result.snapshot_restarts > 0)
    })
  }
})

test('jobs whose workers were killed leave no local files', async () => {
  await worker.stop()
  assert.deepEqual(
    readdirSync(localDirectory).filter((name) => name.startsWith('backline-job-')),
    [],
  )
})
