import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { type Clock, toInstant, toUnixMs } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { DatabaseUnavailable, isWriteConflict, sqlState, sqlStates } from '../postgres/errors.ts'
import { returnLease, takeLease } from '../postgres/leases.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { DueRow, FoundDueRow } from '../unit-of-work/due.ts'
import { backOff, dueRows, nextDueTimes } from '../unit-of-work/due.ts'
import type { Loops } from './loops.ts'
import { longestPauseMs, pauseAfter } from './polling.ts'
import { type Running, runBatch, runOne } from './run.ts'

export type DueDeps = Running & {
  db: Db
  clock: Clock
  log: Logger
  loops: Loops
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
}

export type DueLoop = {
  /** Work is scheduled for this time (real time, Unix ms). */
  wakeAt(unixMs: number): void
  stop(): Promise<void>
}

/** The shortest pause between polls for due rows, and that after a failure. */
const pollMs = 1_000
/** The time until the loop retries after other processes held the leases of all due environments. */
const leasedMs = 100
/** The number of environments that run at once, and the time until the next one has its turn. */
const lanes = 2
const turnMs = 250
const batchSize = 200
/** The kind of work that the lease covers. */
export const dueWork = 'due'
const leaseMs = 15_000

/**
 * Runs the due jobs of all environments, each by its own clock. Environments take turns, so that one with a hundred
 * thousand due rows delays no other. Any number of processes may run the loop: a lease on the environment divides the
 * work. The statement of a job removes its due row, so that no job takes effect twice.
 */
export function startDueLoop(deps: DueDeps): DueLoop {
  const { db, clock } = deps
  const holder = randomUUID()
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = deps.loops.open('jobs', signal)
  let wakeUp = new AbortController()
  let sleepsUntil = 0
  /** The earliest time for which work was scheduled during the present round, which may not have seen it. */
  let announcedAt = Number.POSITIVE_INFINITY

  const rest = async (most: number) => {
    const ms = Math.max(0, Math.min(most, announcedAt - clock()))
    announcedAt = Number.POSITIVE_INFINITY
    sleepsUntil = clock() + ms
    await pause(ms, wakeUp.signal)
    if (!signal.aborted) wakeUp = new AbortController()
    sleepsUntil = 0
  }

  /** Returns true if this process had work in the environment. */
  async function workOn(env: Environment): Promise<boolean> {
    const begun = clock()
    if (!(await takeLease(db, env.tenantId, dueWork, holder, toInstant(begun), toInstant(begun + leaseMs))))
      return false
    try {
      while (!signal.aborted && clock() - begun < turnMs) {
        const ctx = deps.context(env)
        const rows = await dueRows(ctx.db, env.tenantId, ctx.now(), toInstant(clock()), batchSize)
        if (rows.length === 0) break
        await runSome(deps, ctx, rows)
      }
      return true
    } finally {
      await returnLease(db, env.tenantId, dueWork, holder)
    }
  }

  async function round(): Promise<number> {
    const begunMs = performance.now()
    const environments = await nextDueTimes(db, clock(), longestPauseMs)
    const pauseMs = pauseAfter(performance.now() - begunMs, pollMs)
    const waits = environments.map(({ env, nextDueAt }) => toUnixMs(nextDueAt) - env.clockOffsetMs - clock())
    const ready = environments.filter((_, i) => waits[i]! <= 0)
    if (ready.length === 0) return waits.reduce((least, wait) => Math.min(least, wait), pauseMs)
    let worked = false
    const lane = async () => {
      for (let next = ready.shift(); next && !signal.aborted; next = ready.shift()) {
        const { env } = next
        // A failure in one environment does not affect the others.
        const hasWorked = await workOn(env).catch((error) => {
          if (!signal.aborted) loop.failed(error, { tenant_id: env.tenantId })
          return false
        })
        worked ||= hasWorked
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return worked ? 0 : leasedMs
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const wait = await loop.round(round)
      await rest(wait ?? pollMs)
    }
  }

  const running = run()
  return {
    wakeAt(unixMs) {
      if (sleepsUntil === 0) announcedAt = Math.min(announcedAt, unixMs)
      else if (unixMs < sleepsUntil) setTimeout(() => wakeUp.abort(), Math.max(0, unixMs - clock())).unref()
    },
    async stop() {
      stopping.abort()
      wakeUp.abort()
      await running
    },
  }
}

/** Runs the jobs of some rows, at least the first. A row that fails is postponed, so that it delays no other. */
async function runSome(deps: DueDeps, ctx: Ctx, rows: FoundDueRow[]): Promise<void> {
  try {
    await runBatch(deps, () => ctx, rows)
  } catch (error) {
    if (isAway(error)) throw error
    await runOrBackOff(deps, ctx, rows[0]!) // another process was faster on one row, or the first job fails
  }
}

export async function runOrBackOff(deps: DueDeps, ctx: Ctx, row: DueRow): Promise<void> {
  const { clock, log } = deps
  try {
    await runOne(deps, ctx, row)
  } catch (error) {
    if (isAway(error)) throw error
    const { tenantId } = ctx.env
    await backOff(ctx.db, tenantId, row, toInstant(clock()))
    deps.onRun(row.job, 'failed')
    log.error(
      { err: error, tenant_id: tenantId, job: row.job, subject_id: row.subjectId },
      'due work failed; will retry',
    )
  }
}

/** True if the database is unavailable; false if another transaction held a row for too long. */
export const isAway = (error: unknown) =>
  error instanceof DatabaseUnavailable && !isHeldUp(sqlState(error.cause))

const isHeldUp = (state: string | undefined) => state === sqlStates.lockNotAvailable || isWriteConflict(state)
