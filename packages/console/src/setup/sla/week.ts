import type { ScheduleSpan } from '@backline/sdk'

export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

/** Minutes of a day, from 0 to 1440. */
export type Interval = { from: number; to: number }
/** The hours of each day, sorted, without overlaps. */
export type Week = Record<Day, Interval[]>

export const dayMinutes = 1_440

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

export const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Joins intervals that touch or overlap. */
export function joined(intervals: Interval[]): Interval[] {
  const result: Interval[] = []
  for (const { from, to } of intervals
    .filter((each) => each.to > each.from)
    .sort((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else result.push({ from, to })
  }
  return result
}

const cut = (intervals: Interval[], { from, to }: Interval): Interval[] =>
  intervals.flatMap((each) => [
    { from: each.from, to: Math.min(each.to, from) },
    { from: Math.max(each.from, to), to: each.to },
  ])

/** A span past midnight becomes two intervals: the days of both count the same. */
export function weekOf(spans: readonly ScheduleSpan[]): Week {
  const week = Object.fromEntries(days.map((day) => [day, []])) as unknown as Week
  for (const { day, from, to } of spans) {
    const start = minutesOf(from)
    const end = minutesOf(to)
    if (end > start) week[day].push({ from: start, to: end })
    else {
      week[day].push({ from: start, to: dayMinutes })
      week[dayAfter(day)].push({ from: 0, to: end })
    }
  }
  for (const day of days) week[day] = joined(week[day])
  return week
}

const dayAfter = (day: Day): Day => days[(days.indexOf(day) + 1) % 7]!

export const spansOf = (week: Week): ScheduleSpan[] =>
  days.flatMap((day) => week[day].map(({ from, to }) => ({ day, from: clockOf(from), to: clockOf(to) })))

/** Adds the interval to the days, or takes it from them. */
export function painted(week: Week, onDays: readonly Day[], interval: Interval, isOpen: boolean): Week {
  const next = { ...week }
  for (const day of onDays) next[day] = joined(isOpen ? [...week[day], interval] : cut(week[day], interval))
  return next
}

/** The hours that a text such as "9–12, 13:30–17" means for a day and the morning after it; null if it is none. */
export function intervalsOf(text: string): { own: Interval[]; after: Interval[] } | null {
  const own: Interval[] = []
  const after: Interval[] = []
  for (const part of text.split(/[,;]/).filter((each) => each.trim() !== '')) {
    const match = /^\s*(\d{1,2})(?:[:.](\d{2}))?\s*(?:-|–|—|to|bis)\s*(\d{1,2})(?:[:.](\d{2}))?\s*$/.exec(
      part,
    )
    if (!match) return null
    const from = Number(match[1]) * 60 + Number(match[2] ?? 0)
    const to = Number(match[3]) * 60 + Number(match[4] ?? 0)
    if (from >= dayMinutes || to > dayMinutes || from === to) return null
    if (to > from) own.push({ from, to })
    else {
      own.push({ from, to: dayMinutes })
      after.push({ from: 0, to })
    }
  }
  return { own: joined(own), after: joined(after) }
}

export function withDay(week: Week, day: Day, { own, after }: { own: Interval[]; after: Interval[] }): Week {
  const next = { ...week, [day]: own }
  const following = dayAfter(day)
  return after.length > 0 ? { ...next, [following]: joined([...next[following], ...after]) } : next
}

export const hoursText = (intervals: Interval[]): string =>
  intervals.map(({ from, to }) => `${clockOf(from)}–${clockOf(to)}`).join(', ')

export const hoursOf = (week: Week): number =>
  days.flatMap((day) => week[day]).reduce((sum, { from, to }) => sum + to - from, 0) / 60
