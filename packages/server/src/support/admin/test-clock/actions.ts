import { type Instant, parseInstant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { findKey } from '../../../platform/unit-of-work/idempotency-keys.ts'
import {
  abandonAdvance,
  beginAdvance,
  endAdvance,
  findAdvance,
  findClockOffset,
  moveClock,
} from './queries.ts'
import { type Advance, type AdvancedClock, maxAdvanceSeconds, type TestClock } from './schema.ts'

export async function readTestClock(ctx: Ctx): Promise<TestClock> {
  const offsetMs = await findClockOffset(ctx.db, ctx.env.tenantId)
  return clockAt(realNow(ctx), offsetMs)
}

/**
 * Advances the clock and runs everything that becomes due, in order and each at its own time. The clock moves
 * together with the work, so an interruption leaves a consistent environment, and a retry continues to the same
 * target. If the time limit ends first, the response has the remaining seconds, and a further request continues.
 */
export async function advanceTestClock(change: Change, input: Advance): Promise<AdvancedClock> {
  const { ctx, db, tenantId } = change
  await change.lock('test_clock')
  const key = ctx.request!.idempotency!.key
  let startMs = 0
  let offsetMs = 0
  let reachedMs = 0
  let emitted = 0
  const onCommit = (tenantId: string, events: number) => {
    emitted += events
    ctx.writes.onCommit(tenantId, events)
  }
  const plan = async () => {
    startMs = await findClockOffset(db, tenantId)
    const noted = await findAdvance(db, tenantId, key) // the target of an earlier attempt
    const targetMs = noted ?? targetOffset(input, realNow(ctx), startMs)
    if (noted === null) await beginAdvance(db, tenantId, key, targetMs)
    offsetMs = Math.max(startMs, targetMs)
    if (await findKey(db, tenantId, key)) {
      await abandonAdvance(db, tenantId, key)
      throw new ApiError('idempotency_key_in_use') // and completed meanwhile: its response is stored
    }
    return {
      env: { ...ctx.env, clockOffsetMs: startMs },
      until: () => toInstant(realNow(ctx) + offsetMs),
      arrive: moveClock(tenantId, offsetMs),
    }
  }
  const clockTo = (at: Instant) => {
    reachedMs = toUnixMs(at) - realNow(ctx)
    return moveClock(tenantId, reachedMs)
  }
  const arrived = await ctx.services.catchUp({ ...ctx, writes: { ...ctx.writes, onCommit } }, plan, clockTo)
  change.effects.write(endAdvance(tenantId, key))
  const presentMs = arrived ? offsetMs : Math.max(startMs, reachedMs) // overdue work has not moved the clock
  return {
    ...clockAt(realNow(ctx), presentMs),
    events_emitted: emitted,
    remaining_seconds: arrived ? 0 : Math.max(1, Math.ceil((offsetMs - presentMs) / 1000)),
  }
}

/** The target of the clock, as its offset from real time. */
function targetOffset({ seconds, to }: Advance, real: number, startMs: number): number {
  if (seconds !== undefined) return startMs + seconds * 1000
  const target = toUnixMs(parseInstant(to!)!)
  if (target < real + startMs) {
    throw invalidBody({
      pointer: '/to',
      code: 'too_small',
      detail: 'must not be before the current time of the clock',
    })
  }
  if (target > real + startMs + maxAdvanceSeconds * 1000) {
    throw invalidBody({ pointer: '/to', code: 'too_large', detail: 'must be at most ten years ahead' })
  }
  return target - real
}

/** A context's real time: its time without the offset of the clock. */
const realNow = (ctx: Ctx): number => toUnixMs(ctx.now()) - ctx.env.clockOffsetMs

const clockAt = (real: number, offsetMs: number): TestClock => ({
  now: toInstant(real + offsetMs),
  offset_seconds: Math.floor(offsetMs / 1000),
})
