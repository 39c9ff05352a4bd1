import { type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import type { Clock, ClockName, Clocks } from './clocks.ts'

/** A clock in the form of the API. */
export type ClockReport = {
  status: 'running' | 'paused' | 'met' | 'breached' | 'cancelled'
  target_seconds: number
  elapsed_seconds: number
  /** Negative once it is overdue. */
  remaining_seconds: number
  due_at: Instant | null
  met_at: Instant | null
  warned_at: Instant | null
  breached_at: Instant | null
}

export type Reports = Record<ClockName, ClockReport | null>

/** Null for a clock without a target, and one that never started. */
export const reportOf = (clocks: Clocks): Reports => ({
  first_response: report(clocks.first_response),
  next_response: report(clocks.next_response),
  resolution: report(clocks.resolution),
})

function report(clock: Clock | null): ClockReport | null {
  if (!clock || clock.target === null) return null
  const { phase, target, used, breached_at } = clock
  const elapsed = Math.floor(used / 1000)
  return {
    status: breached_at === null ? phase : 'breached',
    target_seconds: target / 1000,
    elapsed_seconds: elapsed,
    remaining_seconds: target / 1000 - elapsed,
    due_at: instant(clock.due_at),
    met_at: instant(phase === 'met' ? clock.ended_at : null),
    warned_at: instant(clock.warned_at),
    breached_at: instant(breached_at),
  }
}

const instant = (unixMs: number | null): Instant | null => (unixMs === null ? null : toInstant(unixMs))
