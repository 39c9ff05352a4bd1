import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../context.ts'
import { dueRows, leaseTenant, returnLease } from '../db/due.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { Sql } from '../db/sql.ts'
import { type Instant, toInstant } from '../lib/clock.ts'
import { type DueDeps, performOrPutOff } from './due-loop.ts'
import { performTogether } from './perform.ts'

const batchSize = 100
const leaseMs = 30_000
/** How long the loop may need to finish its turn with this environment. */
const patienceMs = 10_000
const askAgainMs = 20

/**
 * Does all that falls due in an environment until `until()`, in the order of its times and each as of its own time,
 * also what is appointed on the way. The lease keeps everybody else's loop away meanwhile.
 * @param moveClock part of each transaction: the environment's clock is then at this time
 */
export async function catchUp(
  deps: DueDeps,
  ctx: Ctx,
  until: () => Instant,
  moveClock: (to: Instant) => Sql,
): Promise<void> {
  const { db, clock } = deps
  const { tenantId } = ctx.env
  const holder = randomUUID()
  const lease = () => leaseTenant(db, tenantId, holder, toInstant(clock()), toInstant(clock() + leaseMs))
  const giveUpAt = performance.now() + patienceMs
  while (!(await lease())) {
    if (performance.now() > giveUpAt)
      throw new DatabaseUnavailable('Another process works on this environment')
    await sleep(askAgainMs)
  }
  const begun = deps.context(ctx.env).now()
  const own = { ...deps.context(ctx.env), ...(ctx.committed ? { committed: ctx.committed } : {}) }
  const asOf = (dueAt: Instant): Ctx => ({ ...own, now: () => (dueAt > begun ? dueAt : begun) })
  try {
    for (;;) {
      const rows = await dueRows(db, tenantId, until(), toInstant(clock()), batchSize)
      const [first] = rows
      if (!first) return
      await lease()
      try {
        await performTogether(
          deps.duties,
          ({ dueAt }) => asOf(dueAt),
          rows,
          ({ dueAt }) => moveClock(dueAt),
        )
      } catch (error) {
        if (error instanceof DatabaseUnavailable) throw error
        await performOrPutOff(deps, asOf(first.dueAt), first)
      }
    }
  } finally {
    await returnLease(db, holder, tenantId)
  }
}
