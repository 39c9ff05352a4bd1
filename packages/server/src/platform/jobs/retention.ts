import { findFloor, positionOf } from '../journal/positions.ts'
import { consumedUpTo, type Forgotten, moveFloor, nextEvents, thinEvents } from '../journal/retention.ts'
import { plusSeconds } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import type { Db } from '../postgres/database.ts'
import { sqlState, sqlStates } from '../postgres/errors.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Part } from '../unit-of-work/plan.ts'
import { isWriteConflict } from '../unit-of-work/transact.ts'

export type RetentionDeps = {
  db: Db
  /** A context in the server's own name. */
  context(env: Environment): Ctx
  /** Without whom nothing is forgotten; others follow within seconds, and the feed keeps a month. */
  neededConsumer: string
}

const batchSize = 500
/** Between batches, so that a large sweep leaves room for requests. */
const pauseMs = 50
const daySeconds = 86_400

/**
 * Lets the feed of an environment forget the events that are older than it keeps them, by its own clock: in the order
 * of the journal, after the needed consumer has taken them, and in small batches. Any number of processes may do so at
 * once: each batch is one statement, which fails where another one was faster.
 */
export async function forgetEvents(
  { db, context, neededConsumer }: RetentionDeps,
  env: Environment & { eventRetentionDays: number },
  signal: AbortSignal,
): Promise<void> {
  const { tenantId } = env
  const ctx = context(env)
  const cutoff = plusSeconds(ctx.now(), -env.eventRetentionDays * daySeconds)
  // One first: mostly there is none, in any of a thousand environments.
  for (let size = 1; !signal.aborted; size = batchSize) {
    const [from, through] = [await findFloor(db, tenantId), await consumedUpTo(db, tenantId, neededConsumer)]
    if (!through) return
    const events = await nextEvents(db, tenantId, from, through, size)
    const young = events.findIndex(({ created_at }) => created_at >= cutoff)
    const to = events.at(young < 0 ? -1 : young - 1)
    if (!to || young === 0) return
    await forget(ctx, { from, to: positionOf(to) })
    if (events.length < size || young > 0) return
    await pause(pauseMs, signal)
  }
}

async function forget(ctx: Ctx, forgotten: Forgotten): Promise<void> {
  const parts = [
    { part: moveFloor as Part<unknown>, item: forgotten, mode: 'exact' as const },
    { part: thinEvents as Part<unknown>, item: forgotten, mode: 'plain' as const },
  ]
  try {
    await ctx.writes.committer.commit([{ tenantId: ctx.env.tenantId, parts, events: [], key: null }])
  } catch (error) {
    const state = sqlState(error)
    if (!isWriteConflict(state) && state !== sqlStates.uniqueViolation) throw error // else another process was faster
  }
}
