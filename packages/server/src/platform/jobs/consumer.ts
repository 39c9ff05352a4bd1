import type { Commits } from '../journal/commits.ts'
import { findConsumed, isBehind } from '../journal/heads.ts'
import { advanceConsumer, type Position } from '../journal/positions.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { isWriteConflict, sqlState, sqlStates } from '../postgres/errors.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { EventToInsert } from '../unit-of-work/events.ts'
import { type PlanPart, planPart } from '../unit-of-work/plan.ts'
import { type Leases, openLeases } from './leases.ts'
import type { Loops } from './loops.ts'
import { pauseAfter } from './polling.ts'

export type ConsumerDeps = {
  db: Db
  clock: Clock
  loops: Loops
  commits: Commits
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
}

/** The result of some events: statements and events, and the position after the events that were read. */
export type EventBatch = {
  parts: PlanPart[]
  events?: EventToInsert[]
  through: Position
  more: boolean
  /** Called after the commit, if this process is then alive. */
  onCommit?(): void
}

/** A background process that reads the journal of each environment once, in order. */
export type Consumer = {
  name: string
  /** The pause between two reads of a busy environment, so that each statement carries enough rows for its commit. */
  restMs: number
  /**
   * Returns the statements for the next events after `from`: null if there are none, `nobody` if no event of
   * this environment matters to the consumer until `commits.reportFollowers` is called. Has no effect itself.
   * @param end the end of the journal, read before
   */
  take(ctx: Ctx, from: Position | null, end: Position): Promise<EventBatch | null | 'nobody'>
  /** Returns the environments with events that the consumer has not read. */
  behind(db: Db): Promise<string[]>
}

export type RunningConsumer = { stop(): Promise<void> }

/** The number of environments that are processed at once. */
const lanes = 4
/** The shortest pause between checks of all environments. They find what a failure or a dead process has left. */
const pollMs = 2_000
/** The time until the next environment has its turn. */
const turnMs = 250

/**
 * Runs a consumer. Its results, its position and its lease commit in one transaction: a crash leaves all or none. If
 * two processes overlap, the second one fails on the position; the lease only saves them that work. Nothing is read for
 * a commit in an environment whose events do not matter to the consumer.
 * @param shared leases of further work on the same environments; their owner returns them
 */
export function startConsumer(deps: ConsumerDeps, consumer: Consumer, shared?: Leases): RunningConsumer {
  const { db, clock, commits } = deps
  const leases = shared ?? openLeases(db, clock, consumer.name)
  const stopping = new AbortController()
  const loop = deps.loops.open(consumer.name, stopping.signal)
  const waiting = new Set<string>()
  const resting = new Set<string>()
  /** Environments where a batch met another write, and is taken anew after the rest. */
  const again = new Set<string>()
  /** Environments whose events do not matter to the consumer until their followers change. */
  const idle = new Set<string>()
  let changes = 0
  const busy = new Set<Promise<void>>()

  /** Processes one batch. Returns whether more events may follow. */
  async function step(tenantId: string): Promise<boolean> {
    const before = changes
    const found = await findConsumed(db.home(tenantId), tenantId, consumer.name)
    if (!found || !leases.isFree(found.lease) || !isBehind(found)) return false
    const { env, position } = found
    const ctx = deps.context(env)
    const taken = await consumer.take(ctx, position, found.end)
    if (taken !== 'nobody')
      idle.delete(tenantId) // a report was lost
    else if (before === changes) idle.add(tenantId)
    if (!taken || taken === 'nobody') return false
    const move = { consumer: consumer.name, from: position, to: taken.through }
    const lease = leases.within(tenantId)
    const parts = [planPart('exact', advanceConsumer, move), ...lease.parts, ...taken.parts]
    const events = taken.events ?? []
    await ctx.writes.committer.commit([{ tenantId, parts, events, key: null }])
    lease.committed()
    if (events.length > 0) ctx.writes.onCommit(tenantId, events.length)
    taken.onCommit?.()
    return taken.more
  }

  /** Processes batches for one turn. Returns true if more events may follow. */
  async function work(tenantId: string): Promise<boolean> {
    const begunMs = performance.now()
    while (!stopping.signal.aborted && (await step(tenantId)))
      if (performance.now() - begunMs > turnMs) return true
    return false
  }

  function begin(tenantId: string): void {
    waiting.delete(tenantId)
    resting.add(tenantId)
    const run = work(tenantId)
      .catch((error) => {
        const isRefused = isConflict(error)
        if (!stopping.signal.aborted && !isRefused) loop.failed(error, { tenant_id: tenantId })
        if (isRefused) again.add(tenantId)
        return false
      })
      .then((more) => {
        busy.delete(run)
        if (more) waiting.add(tenantId) // after the environments that already wait
        next()
        void rest(tenantId, more)
      })
    busy.add(run)
  }

  async function rest(tenantId: string, more: boolean): Promise<void> {
    if (!more) await pause(consumer.restMs, stopping.signal)
    resting.delete(tenantId)
    if (again.delete(tenantId)) waiting.add(tenantId)
    next()
  }

  function next(): void {
    for (const tenantId of waiting) {
      if (stopping.signal.aborted || busy.size >= lanes) return
      if (!resting.has(tenantId)) begin(tenantId)
    }
  }

  const wake = (tenantIds: string[]) => {
    for (const tenantId of tenantIds) waiting.add(tenantId)
    next()
  }
  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const begunMs = performance.now()
      await loop.round(async () => wake(await consumer.behind(db)))
      await pause(pauseAfter(performance.now() - begunMs, pollMs), stopping.signal)
    }
  }
  const polling = poll()
  const unsubscribe = [
    commits.on((tenantId) => {
      if (tenantId !== null && !idle.has(tenantId)) wake([tenantId])
    }),
    commits.onFollowers((tenantId) => {
      changes++
      if (tenantId === null) return idle.clear() // polling finds the events so far
      if (idle.delete(tenantId)) wake([tenantId])
    }),
  ]

  return {
    async stop() {
      stopping.abort()
      for (const each of unsubscribe) each()
      await Promise.all([polling, ...busy])
      if (!shared) await leases.returnAll()
    },
  }
}

/** True if another process has moved the position and so has done this work, or a request has changed what it writes. */
const isConflict = (error: unknown) => {
  const state = sqlState(error)
  return isWriteConflict(state) || state === sqlStates.uniqueViolation
}
