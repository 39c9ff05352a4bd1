import { type Instant, toUnixMs } from '../kernel/clock.ts'
import type { Ctx, Writes } from '../unit-of-work/context.ts'
import type { DueRow } from '../unit-of-work/due.ts'
import type { DueDeps } from './due-loop.ts'
import { runOne } from './run.ts'

/** A request does not do more than this on the side; the loop does the rest. */
const mostAtOnce = 50

/**
 * What a change appoints for this very moment is done by the process that made it, before it answers: whoever frees
 * an operator reads next that the waiting conversation has one. Should the process die first, the row is there and
 * the loop does it.
 * @param later told of work that is left for later, with its real time (epoch ms)
 */
export const runInline =
  (deps: DueDeps, later: (epochMs: number) => void): Writes['onScheduled'] =>
  async (ctx, appointed, asOf) => {
    const queue: DueRow[] = []
    const sort = (rows: DueRow[], asOf: Instant) => {
      for (const row of rows) {
        if (row.dueAt <= asOf) queue.push(row)
        else later(toUnixMs(row.dueAt) - ctx.env.clockOffsetMs)
      }
    }
    sort(appointed, asOf)
    const own: Ctx = {
      ...deps.context(ctx.env),
      now: ctx.now,
      writes: { ...ctx.writes, onScheduled: async (_, rows, asOf) => sort(rows, asOf) },
    }
    try {
      for (let done = 0; queue.length > 0 && done < mostAtOnce; done++)
        await runOne(deps.jobs, own, queue.shift()!)
    } catch (error) {
      deps.log.warn({ err: error }, 'immediate run of due work failed; will retry in the background')
    }
    if (queue.length > 0) later(deps.clock())
  }
