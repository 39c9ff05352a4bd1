import type { Logger } from 'pino'
import type { Horizon } from '../journal/horizon.ts'
import type { JournalReader } from '../journal/journal-reader.ts'
import { advanceConsumer, findConsumed, type Position } from '../journal/positions.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { sqlState, sqlStates } from '../postgres/errors.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Part, PlanPart } from '../unit-of-work/plan.ts'
import { isWriteConflict } from '../unit-of-work/transact.ts'
import { type Leases, openLeases } from './leases.ts'

export type ConsumerDeps = {
  db: Db
  clock: Clock
  log: Logger
  journal: JournalReader
  /** A context in the server's own name. */
  context(env: Environment): Ctx
}

/** What was made of some events: statements, and how far that goes. */
export type EventBatch = { parts: PlanPart[]; through: Position; more: boolean }

/** One who goes through the journal of every environment, in order, and takes each event once. */
export type Consumer = {
  name: string
  /** Between two looks at a busy environment, so that a statement is worth its commit. */
  restMs: number
  /**
   * The next settled events after `from` and what becomes of them; null when there are none, `nobody` when this
   * environment has no use for any. Has no effect itself.
   */
  take(ctx: Ctx, from: Position | null, horizon: Horizon): Promise<EventBatch | null | 'nobody'>
  /** The environments in which there is something to take. */
  behind(db: Db): Promise<string[]>
  /** Something was taken. */
  onTaken?(env: Environment): void
}

export type RunningConsumer = { stop(): Promise<void> }

/** Environments that are worked on at once. */
const lanes = 4
/** Finds what is behind after a lost notification, a start, a failure, and when another process has died. */
const pollMs = 2_000
const unsettledMs = { first: 2, longest: 50 }
/** Between two looks at a busy environment that has no use for its events. */
const idleRestMs = 100
/** How long until the next environment has its turn. */
const turnMs = 250

/**
 * Runs a consumer. What it makes of events and how far it has come are one statement: a crash at any line leaves
 * both or none. Two processes that overlap fail on the position, so that the lease only saves them the work.
 * @param shared leases of what goes on with the same environments besides; whoever opened them hands them back
 */
export function startConsumer(deps: ConsumerDeps, consumer: Consumer, shared?: Leases): RunningConsumer {
  const { db, clock, log, journal } = deps
  const leases = shared ?? openLeases(db, clock, consumer.name)
  const stopping = new AbortController()
  const waiting = new Set<string>()
  const resting = new Set<string>()
  /** Environments that have no use for events at present. */
  const idle = new Set<string>()
  /** What was committed and waits for transactions that began before: looked for again and again, at growing pauses. */
  const unsettled = new Map<string, { until: bigint; pauseMs: number }>()
  const busy = new Set<Promise<void>>()

  /** One batch. Says whether there may be more, and whether it is not settled yet. */
  async function step(tenantId: string): Promise<{ more: boolean; horizon: Horizon }> {
    const horizon = await journal.settled()
    const found = await findConsumed(db, tenantId, consumer.name)
    if (!found) return { more: false, horizon }
    const { env, position } = found
    const ctx = deps.context(env)
    const taken = await consumer.take(ctx, position, horizon)
    if (taken === 'nobody') idle.add(tenantId)
    else idle.delete(tenantId)
    if (!taken || taken === 'nobody') return { more: false, horizon }
    const move = { consumer: consumer.name, from: position, to: taken.through }
    const parts: PlanPart[] = [
      { part: advanceConsumer as Part<unknown>, item: move, mode: 'exact' },
      ...taken.parts,
    ]
    await ctx.writes.committer.commit([{ tenantId, parts, events: [], key: null }])
    consumer.onTaken?.(env)
    return { more: taken.more, horizon }
  }

  /** As much as one turn takes. Says after what pause (ms) there is more to do; null when all is taken that there was. */
  async function work(tenantId: string): Promise<number | null> {
    const begunMs = performance.now()
    while (!stopping.signal.aborted && (await leases.hold(tenantId))) {
      const { more, horizon } = await step(tenantId)
      const owed = unsettled.get(tenantId) ?? { until: horizon.next, pauseMs: unsettledMs.first }
      if (more) {
        if (performance.now() - begunMs > turnMs) return 0
      } else if (horizon.xid < owed.until) {
        unsettled.set(tenantId, { ...owed, pauseMs: Math.min(2 * owed.pauseMs, unsettledMs.longest) })
        return owed.pauseMs
      } else break
    }
    unsettled.delete(tenantId)
    return null
  }

  function begin(tenantId: string): void {
    waiting.delete(tenantId)
    resting.add(tenantId)
    const run = work(tenantId)
      .catch((error) => {
        if (!stopping.signal.aborted && !isOthersMove(error))
          log.warn(
            { err: error, tenant_id: tenantId, consumer: consumer.name },
            'processing journal events failed; will retry',
          )
        return null
      })
      .then((goOnAfterMs) => {
        busy.delete(run)
        next()
        void rest(tenantId, goOnAfterMs)
      })
    busy.add(run)
  }

  async function rest(tenantId: string, goOnAfterMs: number | null): Promise<void> {
    await pause(goOnAfterMs ?? (idle.has(tenantId) ? idleRestMs : consumer.restMs), stopping.signal)
    resting.delete(tenantId)
    if (goOnAfterMs !== null) waiting.add(tenantId) // behind those that wait already
    next()
  }

  function next(): void {
    for (const tenantId of waiting) {
      if (stopping.signal.aborted || busy.size >= lanes) return
      if (!resting.has(tenantId)) begin(tenantId)
    }
  }

  const wake = (tenantIds: string[]) => {
    for (const tenantId of tenantIds) {
      unsettled.delete(tenantId) // it is owed what is committed now as well
      waiting.add(tenantId)
    }
    next()
  }
  const lookAround = () =>
    consumer.behind(db).then(wake, (error) => {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'polling the journal failed; will retry')
    })

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      await lookAround()
      await pause(pollMs, stopping.signal)
    }
  }
  const polling = poll()
  const forget = journal.onNews((tenantId) => {
    if (tenantId !== null) wake([tenantId])
  })

  return {
    async stop() {
      stopping.abort()
      forget()
      await Promise.all([polling, ...busy])
      if (!shared) await leases.returnAll()
    },
  }
}

/** Another process has moved the position: it does what was to be done here. */
const isOthersMove = (error: unknown) => {
  const state = sqlState(error)
  return isWriteConflict(state) || state === sqlStates.uniqueViolation
}
