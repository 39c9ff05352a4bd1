import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, toInstant } from '../kernel/clock.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'
import { returnLease, takeLease } from '../postgres/leases.ts'
import type { Sql } from '../postgres/sql.ts'
import type { CatchUpPlan, Ctx } from '../unit-of-work/context.ts'
import { dueRows } from '../unit-of-work/due.ts'
import { type DueDeps, dueWork, isAway, runOrBackOff } from './due-loop.ts'
import { runBatch } from './run.ts'

const batchSize = 100
const leaseMs = 30_000
/** How long the loop may need to finish its turn with this environment. */
const patienceMs = 10_000
const askAgainMs = 20
/** Requests are answered within 30 seconds, and the last batch may take some of them. */
const usualMs = 22_000
/** A receiver may hang for 15 seconds, again and again; what is not sent in this share of the time is sent later. */
const sendingShare = 3 / 4

/** What leaves the house on the way. `giveUpAtMs` as `performance.now()` tells it. */
export type Outbound = {
  /** When something is to be sent next in an environment; null when there is nothing until `until`. */
  next(tenantId: string, until: Instant, giveUpAtMs: number): Promise<Instant | null>
  /** Resolves when all has been sent that is due until `until`. */
  sent(tenantId: string, until: Instant, giveUpAtMs: number): Promise<void>
}

export type CatchUpDeps = DueDeps & {
  outbound: Outbound
  /** After so long it stops; 22 seconds unless given. */
  withinMs?: number | undefined
}

/**
 * Does all that falls due in an environment as `plan` says, in the order of its times and each as of its own time, also
 * what is appointed on the way. The lease keeps everybody else's loop away meanwhile, and who else moves this clock.
 * @param moveClock part of each batch's transaction, and before what is done alone: the environment's clock is then at this time
 * @returns false when the time did not suffice. Some work was done, and the clock is where the last of it was due.
 */
export async function catchUp(
  { outbound, withinMs = usualMs, ...deps }: CatchUpDeps,
  ctx: Ctx,
  plan: () => Promise<CatchUpPlan>,
  moveClock: (to: Instant) => Sql,
): Promise<boolean> {
  const { db, clock } = deps
  const begunAt = performance.now()
  const stopSendingAt = begunAt + withinMs * sendingShare
  const { tenantId } = ctx.env
  const holder = randomUUID()
  const lease = () =>
    takeLease(db, tenantId, dueWork, holder, toInstant(clock()), toInstant(clock() + leaseMs))
  while (!(await lease())) {
    if (performance.now() > begunAt + patienceMs)
      throw new DatabaseUnavailable('Another process is working on this environment')
    await sleep(askAgainMs)
  }
  try {
    const { env, until, arrive } = await plan()
    const begun = deps.context(env).now()
    const own = deps.context(env)
    const writes = { ...own.writes, onCommit: ctx.writes.onCommit }
    const asOf = (dueAt: Instant): Ctx => ({ ...own, writes, now: () => (dueAt > begun ? dueAt : begun) })
    for (let isFirst = true; ; isFirst = false) {
      const due = await dueRows(db, tenantId, until(), toInstant(clock()), batchSize)
      const sendAt =
        performance.now() < stopSendingAt ? await outbound.next(tenantId, until(), stopSendingAt) : null
      const rows = due.filter(({ dueAt }) => sendAt === null || dueAt < sendAt)
      const [first] = rows
      await lease()
      if (!first && sendAt === null) break
      if (!isFirst && performance.now() > begunAt + withinMs) return false
      if (!first) {
        await db.write(moveClock(sendAt!))
        await outbound.sent(tenantId, sendAt!, stopSendingAt)
        continue
      }
      try {
        await runBatch(
          deps.jobs,
          ({ dueAt }) => asOf(dueAt),
          rows,
          ({ dueAt }) => moveClock(dueAt),
        )
      } catch (error) {
        if (isAway(error)) throw error
        await db.write(moveClock(first.dueAt)) // before what is stamped with it
        await runOrBackOff(deps, asOf(first.dueAt), first)
      }
    }
    await db.write(arrive)
    return true
  } finally {
    await returnLease(db, tenantId, dueWork, holder)
  }
}
