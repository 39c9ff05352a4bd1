/** What an SLA config promises, as it is kept: no member is left out. */
export type Terms = {
  targets: TargetRow[]
  /** Null: around the clock. */
  schedule: Schedule | null
  /** Does the clock of the resolution stand still while a conversation is pending? */
  pauses_on_pending: boolean
  /** Of a target; null for no warnings. */
  warn_at_percent: number | null
}

/** What conversations of a priority are promised; null for nothing. */
export type Targets = {
  first_response_seconds: number | null
  next_response_seconds: number | null
  resolution_seconds: number | null
}

/** Without a priority for all that have no row of their own. */
export type TargetRow = { priority: Priority | null } & Targets

export type Priority = 'low' | 'normal' | 'high' | 'urgent'

export type Schedule = {
  /** A name of the IANA time zone database. */
  timezone: string
  /** In no order; they do not overlap. */
  weekly: Span[]
  holidays: Holiday[]
}

export type Day = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun'

/** Local times such as `09:00`. A `to` before `from` is on the next day; `24:00` is the end of the day. */
export type Span = { day: Day; from: string; to: string }

/** A local date such as `2026-12-25`; when yearly, its day in every year. */
export type Holiday = { date: string; name: string | null; yearly: boolean }
