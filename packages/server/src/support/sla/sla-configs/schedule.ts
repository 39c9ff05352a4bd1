import type { FieldError } from '../../../platform/kernel/errors.ts'
import { mergePatch } from '../../../platform/kernel/merge-patch.ts'
import { isTimeZone, noTimeZone, Temporal } from '../../../platform/kernel/time-zones.ts'
import { days, type Holiday, minutesOf, type Schedule, type Span } from '../clocks/terms.ts'

const minutesADay = 24 * 60
const minutesAWeek = 7 * minutesADay

/** A schedule in a request. */
export type NewSchedule = {
  timezone: string
  weekly: Span[]
  holidays?: (Pick<Holiday, 'date'> & Partial<Holiday>)[]
}

/**
 * Applies a patch to a schedule (RFC 7396) and completes its members.
 * @param tell receives each error, with a pointer below `/schedule`; the result is then unused
 */
export function patchedSchedule(
  before: Schedule | null,
  patch: object | null | undefined,
  tell: (fault: FieldError) => void,
): Schedule | null {
  if (patch === undefined) return before
  if (patch === null) return null
  const merged = mergePatch<NewSchedule>(before, patch)
  const { timezone = '', weekly = [], holidays = [] } = merged
  if (merged.timezone === undefined) tell(missing('timezone'))
  else if (!isTimeZone(timezone)) tell({ pointer: '/schedule/timezone', ...noTimeZone })
  if (merged.weekly === undefined) tell(missing('weekly'))
  faultsInWeek(weekly).forEach(tell)
  faultsInHolidays(holidays).forEach(tell)
  return {
    timezone,
    weekly: weekly.map(({ day, from, to }) => ({ day, from, to })),
    holidays: holidays.map(({ date, name = null, yearly = false }) => ({ date, name, yearly })),
  }
}

const missing = (name: string): FieldError => ({
  pointer: `/schedule/${name}`,
  code: 'required',
  detail: 'is required',
})

function* faultsInWeek(weekly: Span[]): Generator<FieldError, undefined> {
  for (const [i, span] of weekly.entries()) {
    const pointer = `/schedule/weekly/${i}`
    if (isEmpty(span)) {
      const detail = 'must not be equal to from; use 00:00 to 24:00 for a whole day'
      yield { pointer: `${pointer}/to`, code: 'not_allowed', detail }
      continue
    }
    const other = weekly.slice(0, i).find((earlier) => !isEmpty(earlier) && overlap(span, earlier))
    if (!other) continue
    const detail = `must not overlap ${other.day} ${other.from} to ${other.to}`
    yield { pointer: `${pointer}/from`, code: 'not_allowed', detail }
  }
}

const isEmpty = ({ from, to }: Span) => from === to

const overlap = (one: Span, other: Span) => beginsDuring(one, other) || beginsDuring(other, one)

/** The week is circular: a span that begins on Sunday may end on Monday. */
const beginsDuring = (span: Span, other: Span) =>
  (startOf(span) - startOf(other) + minutesAWeek) % minutesAWeek < lengthOf(other)

const startOf = ({ day, from }: Span) => days.indexOf(day) * minutesADay + minutesOf(from)

const lengthOf = ({ from, to }: Span) =>
  (minutesOf(to) - minutesOf(from) + minutesADay) % minutesADay || minutesADay

function* faultsInHolidays(holidays: { date: string }[]): Generator<FieldError, undefined> {
  const dates = new Set<string>()
  for (const [i, { date }] of holidays.entries()) {
    const pointer = `/schedule/holidays/${i}/date`
    if (!exists(date)) yield { pointer, code: 'bad_format', detail: 'must be an existing date' }
    else if (dates.has(date))
      yield { pointer, code: 'not_allowed', detail: 'must not repeat another holiday' }
    dates.add(date)
  }
}

function exists(date: string): boolean {
  try {
    return Temporal.PlainDate.from(date) !== null
  } catch {
    return false
  }
}
