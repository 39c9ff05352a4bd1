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
/** The maximum wait for the loop to finish its turn in this environment. */
const patienceMs = 10_000
const askAgainMs = 20
const doneAgainMs = 10
/** Requests have 30 seconds, and the last batch may take some of them. */
const usualMs = 22_000
/**
 * The share of the time in which webhooks are sent; the rest is sent later. A receiver may hang for 15 seconds each
 * time.
 */
const sendingShare = 3 / 4

/** The time for longer work in all; the rest is done after the clock has moved. */
const longWorkMs = 5_000

/** One kind of deliveries that fall due while the clock moves. `giveUpAtMs` is a time of `performance.now()`. */
export type Outbound = {
  /** Returns the time of the next delivery in an environment; null if none is due by `until`. */
  next(tenantId: string, until: Instant, giveUpAtMs: number): Promise<Instant | null>
  /** Resolves when all deliveries that are due by `until` have been sent. */
  sent(tenantId: string, until: Instant, giveUpAtMs: number): Promise<void>
}

/** Resolves once a condition is true, or when the time is over. @param giveUpAtMs a time of `performance.now()` */
export async function waitUntil(done: () => Promise<boolean>, giveUpAtMs: number): Promise<void> {
  while (!(await done()) && performance.now() < giveUpAtMs) await sleep(doneAgainMs)
}

export type CatchUpDeps = DueDeps & {
  outbound: Outbound[]
  /** Resolves when this process has ended the longer work on an environment that due work has begun. */
  idle(tenantId: string): Promise<void>
  /** The time limit; 22 seconds by default. */
  withinMs?: number | undefined
}

/**
 * Runs all work of an environment that falls due within `plan`, in order and each job at its own time, including work
 * that is scheduled meanwhile. The lease excludes the loops of other processes and other moves of this clock.
 * @param moveClock sets the environment's clock to a time; part of each batch's transaction, and before work outside
 * one
 * @returns false if the time limit was reached; the clock is then at the time of the last job that ran
 */
export async function catchUp(
  { outbound, idle, withinMs = usualMs, ...deps }: CatchUpDeps,
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
    const asOf = (dueAt: Instant): Ctx => ({
      ...own,
      writes,
      now: () => (dueAt > begun ? dueAt : begun),
      movingTo: until(),
    })
    for (let isFirst = true; ; isFirst = false) {
      // What has begun is done at its time, unless all of it takes longer.
      const ending = new AbortController()
      const late = sleep(Math.max(0, begunAt + longWorkMs - performance.now()), undefined, ending)
      await Promise.race([idle(tenantId), late.catch(() => undefined)])
      ending.abort()
      const due = await dueRows(ctx.db, tenantId, until(), toInstant(clock()), batchSize)
      const owed =
        performance.now() < stopSendingAt ? await nextOf(outbound, tenantId, until(), stopSendingAt) : null
      const rows = due.filter(({ dueAt }) => owed === null || dueAt < owed.at)
      const [first] = rows
      await lease()
      if (!first && owed === null) break
      if (!isFirst && performance.now() > begunAt + withinMs) return false
      if (!first) {
        const { at, kinds } = owed!
        await db.write(moveClock(at))
        await Promise.all(kinds.map((kind) => kind.sent(tenantId, at, stopSendingAt)))
        continue
      }
      try {
        await runBatch(
          deps,
          ({ dueAt }) => asOf(dueAt),
          rows,
          ({ dueAt }) => moveClock(dueAt),
        )
      } catch (error) {
        if (isAway(error)) throw error
        await db.write(moveClock(first.dueAt)) // before rows are stamped with this time
        await runOrBackOff(deps, asOf(first.dueAt), first)
      }
    }
    await db.write(arrive)
    return true
  } finally {
    await returnLease(db, tenantId, dueWork, holder)
  }
}

type Owed = { at: Instant; kinds: Outbound[] }

/** The time of the first delivery of any kind, and the kinds that have one then; null without one. */
async function nextOf(
  outbound: Outbound[],
  tenantId: string,
  until: Instant,
  giveUpAtMs: number,
): Promise<Owed | null> {
  const owed: { at: Instant; kind: Outbound }[] = []
  for (const kind of outbound) {
    const at = await kind.next(tenantId, until, giveUpAtMs)
    if (at !== null) owed.push({ at, kind })
  }
  if (owed.length === 0) return null
  const at = owed.map((each) => each.at).reduce((one, other) => (one < other ? one : other))
  return { at, kinds: owed.flatMap((each) => (each.at === at ? each.kind : [])) }
}
