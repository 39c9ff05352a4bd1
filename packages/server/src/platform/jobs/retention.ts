import { findFloor, positionOf } from '../journal/positions.ts'
import {
  consumedUpTo,
  type Forgotten,
  maxForgotten,
  moveFloor,
  nextEvents,
  thinEvents,
} from '../journal/retention.ts'
import { plusSeconds } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import { pause } from '../kernel/pause.ts'
import { isWriteConflict, sqlState, sqlStates } from '../postgres/errors.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import { keepBodies } from '../unit-of-work/idempotency-keys.ts'
import { planPart } from '../unit-of-work/plan.ts'

export type RetentionDeps = {
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  /** The consumer that must have read events before they are removed. Others lag by seconds; the feed keeps a month. */
  neededConsumer: string
}

/** The pause between batches, so that a large sweep leaves capacity for requests. */
const pauseMs = 50
const daySeconds = 86_400

/**
 * Removes the events of an environment that are older than its retention period, by its own clock. Removes them in
 * small batches and in the order of the journal, after the needed consumer has read them. Any number of processes may
 * do so at once: each batch is one transaction, which fails if another process was faster.
 */
export async function forgetEvents(
  { context, neededConsumer }: RetentionDeps,
  env: Environment & { eventRetentionDays: number },
  signal: AbortSignal,
): Promise<void> {
  const { tenantId } = env
  const ctx = context(env)
  const { db } = ctx
  const cutoff = plusSeconds(ctx.now(), -env.eventRetentionDays * daySeconds)
  // The first batch has one event: if all environments are visited, most have none that is due.
  for (let size = 1; !signal.aborted; size = maxForgotten) {
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
    planPart('exact', moveFloor, forgotten),
    planPart('plain', keepBodies, forgotten),
    planPart('plain', thinEvents, forgotten),
  ]
  try {
    await ctx.writes.committer.commit([{ tenantId: ctx.env.tenantId, parts, events: [], key: null }])
  } catch (error) {
    const state = sqlState(error)
    if (!isWriteConflict(state) && state !== sqlStates.uniqueViolation) throw error // another process was faster
  }
}
