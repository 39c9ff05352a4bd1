import { type Instant, toUnixMs } from '../kernel/clock.ts'
import type { Ctx, Writes } from '../unit-of-work/context.ts'
import type { DueRow } from '../unit-of-work/due.ts'
import type { DueDeps } from './due-loop.ts'
import { runOne } from './run.ts'

/** The maximum number of jobs that a request runs itself; the loop runs the rest. */
const maxInline = 50

/**
 * Runs the jobs that a change schedules for its own time, except background ones, before its request is answered. So a
 * client that frees an operator reads next that the waiting conversation has one. If the process dies first, the loop
 * runs the jobs.
 * @param later called with the real time (Unix ms) of jobs that remain for the loop
 */
export const runInline =
  (deps: DueDeps, later: (unixMs: number) => void): Writes['onScheduled'] =>
  async (ctx, scheduled, asOf) => {
    const queue: DueRow[] = []
    const sort = (rows: DueRow[], asOf: Instant) => {
      for (const row of rows) {
        if (row.dueAt <= asOf && !deps.jobs.get(row.job)?.isBackground) queue.push(row)
        else later(toUnixMs(row.dueAt) - ctx.env.clockOffsetMs)
      }
    }
    sort(scheduled, asOf)
    const own: Ctx = {
      ...deps.context(ctx.env),
      span: ctx.span,
      now: ctx.now,
      writes: { ...ctx.writes, onScheduled: async (_, rows, asOf) => sort(rows, asOf) },
    }
    try {
      for (let done = 0; queue.length > 0 && done < maxInline; done++) await runOne(deps, own, queue.shift()!)
    } catch (error) {
      deps.log.warn({ err: error }, 'immediate run of due work failed; will retry in the background')
    }
    if (queue.length > 0) later(deps.clock())
  }
