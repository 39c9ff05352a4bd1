import { type Instant, parseInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError, type FieldError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { statuses } from './lifecycle.ts'
import { operatorTable, sumPeriods } from './queries.ts'
import type { Summary, SummaryWindow } from './status-schema.ts'

/** The time that an operator had each status; null for an unknown operator. */
export async function summariseStatus(ctx: Ctx, id: string, asked: SummaryWindow): Promise<Summary | null> {
  const now = ctx.now()
  requireOrder(asked.from, asked.to ?? now)
  const operator = await operatorTable.find(ctx.db, ctx.env.tenantId, id)
  if (!operator) return null
  const window = windowOf(asked, operator.created_at, now)
  const sums = await sumPeriods(ctx.db, ctx.env.tenantId, id, window.from, window.to)
  const ms = statuses.map((status) => sums.find((sum) => sum.status === status)?.ms ?? 0)
  const whole = Math.round((toUnixMs(window.to) - toUnixMs(window.from)) / 1000)
  const [online = 0, away = 0, busy = 0, offline = 0] = secondsOf(ms, whole)
  return { operator_id: id, ...window, seconds: { online, away, busy, offline } }
}

function requireOrder(from: string | undefined, to: string): void {
  if (from === undefined || parseInstant(from)! <= parseInstant(to)!) return
  const errors: FieldError[] = [{ parameter: 'from', code: 'too_large', detail: 'must not be after to' }]
  throw new ApiError('invalid_query', {}, { errors })
}

/** The requested window, limited to the lifetime of the operator. */
function windowOf(asked: SummaryWindow, created: Instant, now: Instant): { from: Instant; to: Instant } {
  const end = now > created ? now : created // the clocks of two processes may differ
  const cut = (at: Instant) => (at < created ? created : at > end ? end : at)
  const moment = (text: string | undefined, otherwise: Instant) =>
    text === undefined ? otherwise : cut(parseInstant(text)!)
  return { from: moment(asked.from, created), to: moment(asked.to, end) }
}

/** Whole seconds that add up to `whole`: those with the largest remainders are rounded up. */
function secondsOf(ms: number[], whole: number): number[] {
  const seconds = ms.map((each) => Math.floor(each / 1000))
  const missing = whole - seconds.reduce((sum, each) => sum + each, 0)
  const byRemainder = ms.map((each, i) => ({ i, rest: each % 1000 })).sort((a, b) => b.rest - a.rest)
  for (const { i } of byRemainder.slice(0, missing)) seconds[i]!++
  return seconds
}
