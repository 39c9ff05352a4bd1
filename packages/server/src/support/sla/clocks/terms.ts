/* The terms of an SLA config, as stored per version: complete, with null for omitted values. */

/** Targets in seconds; null for no target. `priority` null applies to any. */
export type TargetRow = {
  priority: string | null
  first_response_seconds: number | null
  next_response_seconds: number | null
  resolution_seconds: number | null
}

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

/** `HH:MM` of the wall clock; `to` may be `24:00`. A `to` that is not after `from` is on the next day. */
export type Span = { day: Day; from: string; to: string }

/** A date without working time, `YYYY-MM-DD`; in every year if `yearly`. */
export type Holiday = { date: string; name: string | null; yearly: boolean }

/** Working hours by the wall clock of an IANA time zone. */
export type Schedule = { timezone: string; weekly: Span[]; holidays: Holiday[] }

/** `schedule` null is around the clock; `warn_at_percent` null is without warnings. */
export type Terms = {
  targets: TargetRow[]
  schedule: Schedule | null
  pauses_on_pending: boolean
  warn_at_percent: number | null
}

/** The minutes from midnight to a time of the wall clock. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
