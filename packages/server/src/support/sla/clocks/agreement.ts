import { calendarOf } from './calendar.ts'
import type { Agreement } from './clocks.ts'
import type { TargetRow, Terms } from './terms.ts'

/** The terms for conversations of a priority. A row for the priority precedes the row for any. */
export function agreementOf(terms: Terms, priority: string): Agreement {
  const row =
    terms.targets.find((each) => each.priority === priority) ??
    terms.targets.find((each) => each.priority === null)
  const target = (seconds: keyof Omit<TargetRow, 'priority'>) => {
    const value = row?.[seconds] ?? null
    return value === null ? null : value * 1000
  }
  return {
    calendar: calendarOf(terms.schedule),
    targets: {
      first_response: target('first_response_seconds'),
      next_response: target('next_response_seconds'),
      resolution: target('resolution_seconds'),
    },
    pausesOnPending: terms.pauses_on_pending,
    warnAtPercent: terms.warn_at_percent,
  }
}
