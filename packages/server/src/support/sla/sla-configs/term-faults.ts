import { Temporal } from '../../../platform/kernel/time-zones.ts'
import type { ValueFault } from '../../../platform/resource/schema.ts'
import { days, minutesOf, type Span, type TargetRow } from '../clocks/terms.ts'

const minutesADay = 24 * 60
const minutesAWeek = 7 * minutesADay
const times = ['first_response_seconds', 'next_response_seconds', 'resolution_seconds'] as const

export function* faultsInTargets(targets: Partial<TargetRow>[]): Iterable<ValueFault> {
  // Without a time it would still be chosen, before configs that promise something.
  if (!targets.some((target) => times.some((name) => target[name] != null)))
    yield { code: 'required', detail: 'must have a target with at least one time' }
  const priorities = targets.map(({ priority = null }) => priority)
  for (const [i, priority] of priorities.entries())
    if (priorities.indexOf(priority) < i) {
      const detail = 'must not repeat the priority of another target'
      yield { pointer: `/${i}/priority`, code: 'not_allowed', detail }
    }
}

export function* faultsInWeek(weekly: Span[]): Iterable<ValueFault> {
  for (const [i, span] of weekly.entries()) {
    const pointer = `/${i}`
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

export function* faultsInHolidays(holidays: { date: string }[]): Iterable<ValueFault> {
  const dates = new Set<string>()
  for (const [i, { date }] of holidays.entries()) {
    const pointer = `/${i}/date`
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
