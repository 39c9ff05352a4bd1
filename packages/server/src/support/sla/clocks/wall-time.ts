import { firstIndex } from './first-index.ts'
import { days, type Holiday, minutesOf, type Span } from './terms.ts'

/*
 * Working time by a wall clock without a zone: a repeating week minus some dates. Times are milliseconds of a wall
 * clock, in the form of `Date.UTC`. It computes with sums, so the distance of two times costs nothing.
 */

export const dayMs = 86_400_000
const weekMs = 7 * dayMs
/** Monday, 5 January 1970. */
const firstMonday = 4 * dayMs

export type WallTime = {
  /** The working milliseconds between two times. */
  worked(from: number, to: number): number
  /** The first time by which `ms` (more than 0) have been worked since `from`; null if it is after `limit`. */
  reached(from: number, ms: number, limit: number): number | null
  /** The pieces between two times. */
  pieces(from: number, to: number): Iterable<Piece>
}

export type PieceKind = 'in_schedule' | 'outside_schedule' | 'holiday'
export type Piece = { from: number; to: number; kind: PieceKind }

export function wallTime(weekly: Span[], holidays: Holiday[]): WallTime {
  const week = weekOf(weekly)
  const off = daysOff(holidays, week.workOn)

  /** The week's working time between two times that falls on days off. */
  function lost(from: number, to: number): number {
    if (off.none) return 0
    const [first, last] = [dayOf(from), dayOf(to)]
    off.cover(first, last)
    const inFirst = off.has(first) ? week.worked(first * dayMs, from) : 0
    const inLast = off.has(last) ? week.worked(last * dayMs, to) : 0
    return off.lostBefore(last) + inLast - off.lostBefore(first) - inFirst
  }

  const worked = (from: number, to: number) => week.worked(from, to) - lost(from, to)

  return {
    worked,
    reached(from, ms, limit) {
      let at = from
      let missing = ms
      for (;;) {
        const next = week.reached(at, missing)
        if (next > limit) return null
        missing = lost(at, next)
        if (missing === 0) return next
        const day = dayOf(next)
        at = off.has(day) ? (day + 1) * dayMs : next // the rest of a day off has no working time
        if (at >= limit || worked(at, limit) < missing) return null
      }
    },
    *pieces(from, to) {
      const [first, last] = [dayOf(from), dayOf(to - 1)]
      off.cover(first, last)
      for (let day = first; day <= last; day++) {
        const midnight = day * dayMs
        for (const piece of off.has(day) ? dayOff : week.pieces(day)) {
          const [begins, ends] = [Math.max(midnight + piece.from, from), Math.min(midnight + piece.to, to)]
          if (begins < ends) yield { from: begins, to: ends, kind: piece.kind }
        }
      }
    },
  }
}

export const dayOf = (moment: number): number => Math.floor(moment / dayMs)

const dayOff: Piece[] = [{ from: 0, to: dayMs, kind: 'holiday' }]

/** The spans of a week from its Monday on, in order, split at midnight. */
function spansOfWeek(weekly: Span[]): { from: number; to: number }[] {
  const spans = weekly.flatMap(({ day, from, to }) => {
    const midnight = days.indexOf(day) * dayMs
    const [begins, ends] = [midnight + minutesOf(from) * 60_000, midnight + minutesOf(to) * 60_000]
    if (begins < ends) return [{ from: begins, to: ends }]
    const next = (midnight + dayMs) % weekMs
    const evening = { from: begins, to: midnight + dayMs }
    return ends === midnight ? [evening] : [evening, { from: next, to: next + ends - midnight }]
  })
  return spans.sort((one, other) => one.from - other.from)
}

function weekOf(weekly: Span[]) {
  const spans = spansOfWeek(weekly)
  const [before, total] = sumsOf(spans.map(({ from, to }) => to - from))
  const piecesOfDays = days.map((_, i) => piecesOfDay(spans, i * dayMs))
  const workOfDays = days.map((_, i) => sum(firstMonday + (i + 1) * dayMs) - sum(firstMonday + i * dayMs))

  /** The working time since the first Monday; negative before it. */
  function sum(moment: number): number {
    const weeks = Math.floor((moment - firstMonday) / weekMs)
    const inWeek = moment - firstMonday - weeks * weekMs
    const begun = firstIndex(spans, ({ from }) => from > inWeek)
    if (begun === 0) return weeks * total
    const { from, to } = spans[begun - 1]!
    return weeks * total + before[begun - 1]! + Math.min(inWeek, to) - from
  }

  return {
    worked: (from: number, to: number) => sum(to) - sum(from),
    /** The first time by which that much has been worked since `from`. */
    reached(from: number, ms: number): number {
      if (total === 0) return Number.POSITIVE_INFINITY
      const wanted = sum(from) + ms
      const weeks = Math.ceil(wanted / total) - 1
      const rest = wanted - weeks * total // above 0, at most a whole week
      let i = spans.length - 1
      while (before[i]! >= rest) i--
      return firstMonday + weeks * weekMs + spans[i]!.from + rest - before[i]!
    },
    workOn: (day: number): number => workOfDays[dayOfWeek(day)]!,
    /** From midnight on. */
    pieces: (day: number): Piece[] => piecesOfDays[dayOfWeek(day)]!,
  }
}

const dayOfWeek = (day: number): number => (((day - 4) % 7) + 7) % 7

/** The pieces of a day of the week that starts at `midnight`, relative to it. */
function piecesOfDay(spans: { from: number; to: number }[], midnight: number): Piece[] {
  const pieces: Piece[] = []
  let reached = 0
  for (const span of spans) {
    const [from, to] = [span.from - midnight, span.to - midnight]
    if (from < 0 || from >= dayMs) continue
    if (reached < from) pieces.push({ from: reached, to: from, kind: 'outside_schedule' })
    pieces.push({ from, to, kind: 'in_schedule' })
    reached = to
  }
  if (reached < dayMs) pieces.push({ from: reached, to: dayMs, kind: 'outside_schedule' })
  return pieces
}

/** The cumulative sum before each number, and the total. */
function sumsOf(numbers: number[]): [before: number[], all: number] {
  let sum = 0
  const before: number[] = []
  for (const number of numbers) {
    before.push(sum)
    sum += number
  }
  return [before, sum]
}

/** The days off of the requested years, and the working time that they remove. */
function daysOff(holidays: Holiday[], workOn: (day: number) => number) {
  const dates = holidays.map(({ date, yearly }) => {
    const [year, month, day] = date.split('-').map(Number) as [number, number, number]
    return { year, month, day, yearly }
  })
  let [firstYear, lastYear] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const present = new Set<number>()
  const list: number[] = [] // in order
  const lost = [0] // before each day of the list, and in total

  function writeOut(year: number): void {
    const days = dates
      .filter((each) => (each.yearly || each.year === year) && exists(year, each.month, each.day))
      .map(({ month, day }) => dayNumber(year, month, day))
    for (const day of days.sort((one, other) => one - other)) {
      if (present.has(day)) continue
      present.add(day)
      list.push(day)
      lost.push(lost.at(-1)! + workOn(day))
    }
  }

  return {
    none: holidays.length === 0,
    /** Call it for the range of days before any request. */
    cover(firstDay: number, lastDay: number): void {
      const [first, last] = [yearOf(firstDay), yearOf(lastDay)]
      const until = Math.max(last, lastYear)
      if (first < firstYear) {
        present.clear()
        list.length = 0
        lost.length = 1
        firstYear = first
        lastYear = first - 1
      }
      while (lastYear < until) writeOut(++lastYear)
    },
    has: (day: number) => present.has(day),
    /** The working time removed by all days off before this day. */
    lostBefore: (day: number): number => lost[firstIndex(list, (each) => each >= day)]!,
  }
}

/** `Date.UTC` interprets the year 50 as 1950. */
const dayNumber = (year: number, month: number, day: number) =>
  new Date(0).setUTCFullYear(year, month - 1, day) / dayMs
const yearOf = (day: number) => new Date(day * dayMs).getUTCFullYear()
const exists = (year: number, month: number, day: number) =>
  day < 29 || new Date(dayNumber(year, month, day) * dayMs).getUTCDate() === day
