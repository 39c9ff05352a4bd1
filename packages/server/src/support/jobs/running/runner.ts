import type { Logger } from 'pino'
import { isDiskFull, isStoreFull } from '../../../platform/files/store.ts'
import { isAway } from '../../../platform/jobs/due-loop.ts'
import type { Loop, Loops } from '../../../platform/jobs/loops.ts'
import { type Clock, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { pause } from '../../../platform/kernel/pause.ts'
import { openSemaphore } from '../../../platform/kernel/semaphore.ts'
import {
  DatabaseUnavailable,
  isWriteConflict,
  sqlState,
  sqlStates,
} from '../../../platform/postgres/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { renewLease } from '../../../platform/unit-of-work/due.ts'
import { dueNames } from '../actions.ts'
import { JobFailed, kindOf, type OpenJob } from '../kinds.ts'
import { clockOffset, type Job, type JobError, jobTable } from '../queries.ts'
import { contextOf, environmentAt } from '../starter.ts'
import { removeAbandoned } from './directories.ts'
import { endAsFailed, handBack, writePart } from './progress.ts'

declare module '../../../platform/unit-of-work/context.ts' {
  interface Services {
    jobs: JobRunner
  }
}

/** Works on the jobs that this process has taken. */
export type JobRunner = {
  /** False if this process works on as many jobs of the environment as it may. */
  hasRoom(tenantId: string): boolean
  /** Works on a job, which has this version, until it has ended or another process takes it over. */
  run(env: Environment, job: Pick<Job, 'id' | 'version'>): void
  /** The number of jobs that this process works on. */
  readonly running: number
  /** The end of a lease that begins now. */
  leaseEnd(): string
  /** Resolves when no job of an environment is being worked on. */
  idle(tenantId: string): Promise<void>
  /** Completes the parts that are being written, and hands the jobs to other processes. */
  stop(): Promise<void>
}

export type RunnerDeps = {
  clock: Clock
  log: Logger
  loops: Loops
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  /** Called with the real time (Unix ms) of due work that a part has scheduled. */
  onScheduled(unixMs: number): void
}

/** Parts that are worked on at once, in this process: environments take turns. */
const partsAtOnce = 2
const jobsOfEnvironment = 8
/** An export keeps a connection of its own. */
const jobsOfProcess = 16
/** After a crash, another process takes the job over within this time. */
const leaseMs = 15_000
/** Failures in a row after which a job fails. Outages of the database do not count. */
const mostFailures = 8
const longestPauseMs = 30_000
/** A part that is not written so often in a row, because others write the same rows, is a failure. */
const mostConflicts = 60

export function openJobRunner({ clock, log, loops, onScheduled, ...deps }: RunnerDeps): JobRunner {
  const context = (env: Environment): Ctx => waking(deps.context(env), onScheduled)
  const stopping = new AbortController()
  const { signal } = stopping
  const places = openSemaphore({ limit: partsAtOnce, limitOfKey: 1 })
  const loop = loops.open('long_jobs', signal)
  removeAbandoned().catch((err) => log.warn({ err }, 'local files of ended processes were not removed'))
  const running = new Map<string, { tenantId: string; work: Promise<void> }>()
  const ofTenant = (tenantId: string) => [...running.values()].filter((each) => each.tenantId === tenantId)

  function run(env: Environment, { id, version }: Pick<Job, 'id' | 'version'>): void {
    const former = running.get(id)?.work ?? Promise.resolve()
    const work = former
      .then(() => workOn({ env, id, version, context, loop, log, clock, signal, places }))
      .finally(() => {
        if (running.get(id)?.work === work) running.delete(id)
      })
    running.set(id, { tenantId: env.tenantId, work })
  }

  return {
    hasRoom: (tenantId) =>
      ofTenant(tenantId).length < jobsOfEnvironment && running.size < jobsOfProcess && !signal.aborted,
    run,
    get running() {
      return running.size
    },
    leaseEnd: () => toInstant(clock() + leaseMs),
    async idle(tenantId) {
      await Promise.all(ofTenant(tenantId).map(({ work }) => work))
    },
    async stop() {
      stopping.abort()
      places.close()
      // One that was taken before the signal may begin after it.
      while (running.size > 0) await Promise.all([...running.values()].map(({ work }) => work))
    },
  }
}

/** A context whose changes tell of the due work that they schedule, so that the due loop runs it at once. */
const waking = (ctx: Ctx, onScheduled: RunnerDeps['onScheduled']): Ctx => ({
  ...ctx,
  writes: {
    ...ctx.writes,
    async onScheduled({ env }, rows) {
      for (const { dueAt } of rows) onScheduled(toUnixMs(dueAt) - env.clockOffsetMs)
    },
  },
})

type Work = Omit<RunnerDeps, 'loops' | 'onScheduled'> & {
  env: Environment
  id: string
  /** The version of the job that this process wrote last. With another one, somebody else has changed the job. */
  version: number
  loop: Loop
  signal: AbortSignal
  places: ReturnType<typeof openSemaphore>
}

/** The pause before the next part, in milliseconds, and what has to be done until then. */
type Next = { restMs: number; after?: Promise<void> | undefined }

/** Never rejects. */
async function workOn(work: Work): Promise<void> {
  const { env, id, context, loop, log, clock, signal, places } = work
  let { version } = work
  let open: OpenJob | null = null
  let [failures, failuresOfPart, conflicts] = [0, 0, 0]
  let lastMs: number | null = null
  /** The most that was done before a failure: only progress beyond it shows that the failure is over. */
  let [done, doneAtFailure] = [0, -1]
  const about = { tenant_id: env.tenantId, job_id: id }
  const close = async () => {
    const closing = open
    open = null
    await closing?.close?.()
  }
  /** @returns when to go on; null at the end */
  const step = async (): Promise<Next | null> => {
    const { db } = context(env)
    const own = environmentAt(env, await clockOffset(db, env.tenantId))
    const job = await jobTable.find(db, env.tenantId, id)
    if (job?.version !== version || job.status !== 'running') return null
    open ??= await kindOf(job).open(() => contextOf(context(own), job), job)
    const begunMs = performance.now()
    done = job.done
    const part = await open.next(job, { conflicts, failures: failuresOfPart, lastMs })
    part.after?.catch(() => undefined) // it is awaited later
    try {
      const written = await writePart(context(own), job, part)
      version = written.version
      lastMs = performance.now() - begunMs
      loop.succeeded()
      ;[conflicts, failuresOfPart] = [0, 0]
      if (written.done > doneAtFailure) failures = 0
      return written.status === 'running' ? { restMs: 0, after: part.after } : null
    } catch (error) {
      const state = sqlState(error)
      if (!(isWriteConflict(state) || state === sqlStates.uniqueViolation) || ++conflicts > mostConflicts)
        throw error
      for (const { draft } of part.changes ?? []) draft.forget()
      await open.refused?.(error)
      return { restMs: conflicts > 2 ? Math.random() * 10 * conflicts : 0 }
    }
  }
  const failed = async (error: unknown): Promise<Next | null> => {
    await close()
    const reason = reasonOf(error)
    if (reason) {
      await endAsFailed(context(env), id, version, reason)
      return null
    }
    loop.failed(error, about)
    if (!isAway(error) || isTimeout(error)) failures++
    if (!isAway(error)) failuresOfPart++
    doneAtFailure = Math.max(doneAtFailure, done)
    if (failures < mostFailures) return { restMs: Math.min(longestPauseMs, 250 * 2 ** (failures + 1)) }
    log.error({ err: error, ...about }, 'a job failed; it ends')
    const detail = 'The job failed again and again; the log of the server has the reason.'
    await endAsFailed(context(env), id, version, { code: 'internal_error', detail })
    return null
  }
  const stopped = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const renewing = setInterval(() => {
    const { db } = context(env)
    const until = toInstant(clock() + leaseMs)
    const due = { job: dueNames.work, subjectId: id }
    renewLease(db, env.tenantId, due, until).catch((error) => loop.failed(error, about))
  }, leaseMs / 3)
  try {
    while (!signal.aborted) {
      const leave = await places.acquire(env.tenantId, Number.POSITIVE_INFINITY, signal)
      if (!leave) break
      const begunMs = performance.now()
      const next = await step().catch(failed).finally(leave)
      if (next === null) break
      await pause(Math.max(next.restMs, restAfter(performance.now() - begunMs)), signal)
      if (next.after) await Promise.race([next.after.catch(() => undefined), stopped])
      if (signal.aborted) break
      const again = await next.after?.then(() => undefined, failed)
      if (again === null) break
      if (again) await pause(again.restMs, signal)
    }
    if (signal.aborted) await handBack(context(env), id, version)
  } catch (error) {
    loop.failed(error, about) // the lease ends, and the job is taken again
  } finally {
    clearInterval(renewing)
    await Promise.resolve(close()).catch((error) => loop.failed(error, about))
  }
}

/** The error with which a job ends; null if it may succeed when it is tried again. */
function reasonOf(error: unknown): JobError | null {
  if (error instanceof JobFailed) return error.reason
  if (error instanceof ApiError && error.code !== 'unavailable')
    return { code: error.code, detail: error.message }
  if (isStoreFull(error)) return storeFull
  return isDiskFull(error) ? diskFull : null
}

/** The statement took too long, and may again. */
const isTimeout = (error: unknown) =>
  error instanceof DatabaseUnavailable && sqlState(error.cause) === sqlStates.queryCanceled

const storeFull = { code: 'disk_full', detail: 'The directory of files (BACKLINE_FILES_DIR) is full.' }
const diskFull = { code: 'disk_full', detail: 'The temporary directory of the server (TMPDIR) is full.' }

/** The pause after a part, which leaves capacity for requests. */
const restAfter = (partMs: number): number => Math.min(100, partMs / 4)
