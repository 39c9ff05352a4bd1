/*
 * What an SLA config promises, as it is kept of each version: whole, with null for what it does not say.
 */

/** How much time there is for what, in seconds; null for no target. `priority` null stands for any. */
export type TargetRow = {
  priority: string | null
  first_response_seconds: number | null
  next_response_seconds: number | null
  resolution_seconds: number | null
}

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

/** `HH:MM` of the wall clock; `to` may be `24:00`. A `to` that is not after `from` is one of the next day. */
export type Span = { day: Day; from: string; to: string }

/** A date, `YYYY-MM-DD`, on which nobody works; of every year, if `yearly`. */
export type Holiday = { date: string; name: string | null; yearly: boolean }

/** When work is done, by the wall clock of an IANA time zone. */
export type Schedule = { timezone: string; weekly: Span[]; holidays: Holiday[] }

/** `schedule` null is around the clock; `warn_at_percent` null, without warnings. */
export type Terms = {
  targets: TargetRow[]
  schedule: Schedule | null
  pauses_on_pending: boolean
  warn_at_percent: number | null
}

/** Of a day that has passed at such a time of the wall clock. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
