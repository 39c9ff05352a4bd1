import type { Logger } from 'pino'
import { type Scanner, ScannerUnavailable } from '../../platform/files/scanner.ts'
import { type FileStore, StoreUnavailable } from '../../platform/files/store.ts'
import type { Loops } from '../../platform/jobs/loops.ts'
import { pauseAfter } from '../../platform/jobs/polling.ts'
import { type Instant, toInstant } from '../../platform/kernel/clock.ts'
import type { Environment } from '../../platform/kernel/environment.ts'
import { pause } from '../../platform/kernel/pause.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Ctx } from '../../platform/unit-of-work/context.ts'
import { transact } from '../../platform/unit-of-work/transact.ts'
import { files } from './entity.ts'
import { copyKey, uploadKey } from './keys.ts'
import { type FileRow, fileTable } from './queries.ts'
import { tidy, unusedForMs } from './removal.ts'
import {
  claimTasks,
  deleteScans,
  environmentsWithTasks,
  finishTask,
  postponeTask,
  type Task,
} from './tasks/queries.ts'

export type FileTasksDeps = {
  db: Db
  log: Logger
  loops: Loops
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  store: FileStore
  /** Null if no scanner is configured. */
  scanner: Scanner | null
}

const pollMs = 1_000
/** Another process takes over a task that was not renewed for this time. */
const leaseMs = 60_000
const renewMs = leaseMs / 3
/** The number of tasks of a kind that this process works on at once. */
const atOnce = 4
const longestBackOffMs = 300_000
/** The pause between sweeps, and after one that failed. */
const sweepMs = 3_600_000
const sweepAgainMs = 60_000

/**
 * Scans files, and removes bytes that are no longer needed. A task stays until it has succeeded, whatever happens to
 * the store, the scanner or this process. Any number of processes may do so at once. Scans and removals have places of
 * their own, so that a slow scanner delays no removal. Without a scanner, scans wait for a process that has one.
 */
export function startFileTasks(deps: FileTasksDeps): { stop(): Promise<void> } {
  const loops = [
    loop(deps, 'tidy', (env, task) => tidyUp(deps, env, task)),
    ...(deps.scanner
      ? [loop(deps, 'scan', (env, task) => scan(deps, env, task), answers(deps.scanner, deps.log))]
      : []),
    sweep(deps),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((each) => each.stop()))
    },
  }
}

/**
 * Asks the scanner, so that no attempts fail while it is away: files would wait for their next attempt long after it is
 * back.
 */
function answers(scanner: Scanner, log: Logger): () => Promise<boolean> {
  let wasAway = false
  return async () => {
    try {
      await scanner.ping()
      if (wasAway) log.info('the scanner answers again')
      wasAway = false
    } catch (error) {
      if (!(error instanceof ScannerUnavailable)) throw error
      if (!wasAway) log.warn({ err: error }, 'the scanner is away; files wait for it')
      wasAway = true
    }
    return !wasAway
  }
}

/**
 * @param work returns the time at which to work on the task again; null if it is done
 * @param isReady asked before tasks are taken
 */
function loop(
  { db, log, loops }: FileTasksDeps,
  kind: Task['task'],
  work: (env: Environment, task: Task) => Promise<Instant | null>,
  isReady = async () => true,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const polls = loops.open(`file_${kind}`, stopping.signal)
  const running = new Set<Promise<void>>()
  const held = new Set<Held>()
  const now = () => toInstant(Date.now())

  async function workOn(each: Held): Promise<void> {
    const { env, task } = each
    const home = db.home(env.tenantId)
    held.add(each)
    const renewing = setInterval(() => void renew(home, each).catch(() => undefined), renewMs).unref()
    try {
      const again = await work(env, task)
      clearInterval(renewing)
      await (again === null
        ? finishTask(home, env.tenantId, task, each.until)
        : postponeTask(home, env.tenantId, task, each.until, { dueAt: again, failures: 0 }))
    } catch (error) {
      clearInterval(renewing)
      const failures = task.failures + 1
      const dueAt = toInstant(Date.now() + Math.min(2 ** failures * 1_000, longestBackOffMs))
      const about = { err: error, tenant_id: env.tenantId, file_id: task.file_id }
      const isAway = error instanceof ScannerUnavailable || error instanceof StoreUnavailable
      log[isAway ? 'warn' : 'error'](about, `a file's ${task.task} failed; will retry`)
      await postponeTask(home, env.tenantId, task, each.until, { dueAt, failures })
    } finally {
      held.delete(each)
    }
  }

  /** Takes as many tasks as there are places. @returns false if there were none */
  async function takeSome(): Promise<boolean> {
    let found = false
    const waiting = await environmentsWithTasks(db, kind, now())
    if (waiting.length > 0 && !(await isReady())) return false
    for (const env of waiting) {
      const room = atOnce - running.size
      if (room <= 0 || stopping.signal.aborted) return true
      const until = toInstant(Date.now() + leaseMs)
      const tasks = await claimTasks(db.home(env.tenantId), env.tenantId, kind, now(), until, room)
      for (const task of tasks) {
        found = true
        const one: Promise<void> = workOn({ env, task, until })
          .catch((error) => polls.failed(error, { tenant_id: env.tenantId, file_id: task.file_id }))
          .finally(() => running.delete(one))
        running.add(one)
      }
    }
    return found
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      const found = await polls.round(takeSome)
      const restMs = found ? 0 : pauseAfter(performance.now() - begunMs, pollMs)
      if (running.size < atOnce) await pause(restMs, stopping.signal)
      else await Promise.race([...running, pause(leaseMs, stopping.signal)])
    }
  }

  const polling = run()
  return {
    /** Hands back what is not done: another process begins it again. */
    async stop() {
      stopping.abort()
      await polling
      const left = [...held].map(({ env, task, until }) =>
        postponeTask(db.home(env.tenantId), env.tenantId, task, until, {
          dueAt: now(),
          failures: task.failures,
        }),
      )
      await Promise.allSettled(left)
    },
  }
}

/** A task that this process works on, until a time that it renews. */
type Held = { env: Environment; task: Task; until: Instant }

async function renew(home: Db, each: Held): Promise<void> {
  const next = toInstant(Date.now() + leaseMs)
  const { failures } = each.task
  await postponeTask(home, each.env.tenantId, each.task, each.until, { dueAt: next, failures })
  each.until = next
}

/** Removes parts of uploads that a crash interrupted. */
function sweep({ store, loops }: FileTasksDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const sweeps = loops.open('file_leftovers', stopping.signal)
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const isDone = await sweeps.round(() => store.removeLeftovers().then(() => true))
      await pause(isDone ? sweepMs : sweepAgainMs, stopping.signal)
    }
  }
  void run()
  return { stop: async () => stopping.abort() }
}

/** Decides about a file by its bytes. @returns null: the task is done */
async function scan({ scanner, context }: FileTasksDeps, env: Environment, { file_id }: Task): Promise<null> {
  const ctx = context(env)
  const file = await fileTable.find(ctx.db, env.tenantId, file_id)
  if (file?.status !== 'scanning') return null
  const infected = await verdictOn(ctx, scanner!, file)
  await transact(ctx, async (change) => {
    const row = await change.rows.find(files, file_id)
    if (row?.status !== 'scanning') return
    change.effects.writeBatched(deleteScans, file_id)
    if (infected === null) return void change.rows.update(files, row, { status: 'ready' }, 'file.ready')
    change.rows.update(
      files,
      row,
      { status: 'rejected', rejected_reason: 'infected', copy: null },
      'file.rejected',
    )
    tidy(change, row)
  })
  return null
}

async function verdictOn(ctx: Ctx, scanner: Scanner, { id, copy }: FileRow): Promise<string | null> {
  const bytes = await ctx.services.files.store.read(copyKey(ctx.env.tenantId, id, copy!))
  try {
    return (await scanner.scan(bytes)).infected
  } finally {
    bytes.destroy()
  }
}

/**
 * Removes the upload and all copies but the one that is the file. The upload comes first: a copy that is made of it
 * meanwhile is then either removed as well, or removed the last time.
 * @returns the time at which to do so again; null if no more bytes can arrive
 */
async function tidyUp(
  { context }: FileTasksDeps,
  env: Environment,
  { file_id, copies, final_at }: Task,
): Promise<Instant | null> {
  const { db, services } = context(env)
  const { store } = services.files
  const file = await fileTable.find(db, env.tenantId, file_id)
  const isAwaited = file?.status === 'awaiting_upload'
  if (!isAwaited) await store.remove(uploadKey(env.tenantId, file_id))
  for (let copy = 1; copy <= copies; copy++)
    if (copy !== file?.copy) await store.remove(copyKey(env.tenantId, file_id, copy))
  // The task keeps the number of copies for as long as there can be another one.
  if (isAwaited) return toInstant(Date.now() + unusedForMs)
  return final_at > toInstant(Date.now()) ? final_at : null
}
