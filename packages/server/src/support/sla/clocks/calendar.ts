import { firstIndex } from './first-index.ts'
import type { Schedule } from './terms.ts'
import { type TimeZone, timeZone } from './time-zone.ts'
import { dayMs, type Piece, type WallTime, wallTime } from './wall-time.ts'

/*
 * Working time of a schedule in a time zone. A moment counts if the wall clock shows a time inside a span: the hour
 * that daylight saving time skips does not count, the repeated one counts twice. Between two clock changes a zone is
 * an offset, so working time there is that of the wall clock.
 */
export type Calendar = {
  /** The working milliseconds between two times (Unix ms). */
  worked(from: number, to: number): number
  /** The first time by which `ms` have been worked since `from`; null if it is more than a hundred years away. */
  reached(from: number, ms: number): number | null
  /** The working and non-working pieces between two times, with the reason of each. */
  pieces(from: number, to: number): Piece[]
}

const horizonMs = 100 * 365.25 * dayMs
/** Some zones never change their clocks, and days off are expanded for the whole range. */
const strideMs = 365.25 * dayMs

export function calendarOf(schedule: Schedule | null): Calendar {
  if (!schedule) return aroundTheClock
  return inZone(timeZone(schedule.timezone), wallTime(schedule.weekly, schedule.holidays))
}

const aroundTheClock: Calendar = {
  worked: (from, to) => to - from,
  reached: (from, ms) => (ms <= horizonMs ? from + Math.max(0, ms) : null),
  pieces: (from, to) => (from < to ? [{ from, to, kind: 'in_schedule' }] : []),
}

/** A period without a clock change. `before` is the working time since the first period. */
type Segment = { from: number; to: number; offset: number; before: number; after: number }

function inZone(zone: TimeZone, wall: WallTime): Calendar {
  /** Without gaps, extended on demand. */
  let segments: Segment[] = []

  function append(from: number, before: number): Segment {
    const { to: ends, offset } = zone.at(from)
    const to = Math.min(ends, from + strideMs)
    const segment = { from, to, offset, before, after: before + wall.worked(from + offset, to + offset) }
    segments.push(segment)
    return segment
  }

  function segmentAt(moment: number): Segment {
    if (segments.length === 0 || moment < segments[0]!.from) {
      segments = []
      append(moment, 0)
    }
    for (let last = segments.at(-1)!; last.to <= moment; ) last = append(last.to, last.after)
    return segments[firstIndex(segments, ({ to }) => to > moment)]!
  }

  return {
    worked(from, to) {
      let sum = 0
      for (let at = from; at < to; ) {
        const { to: ends, offset } = zone.at(at)
        const until = Math.min(ends, to)
        sum += wall.worked(at + offset, until + offset)
        at = until
      }
      return sum
    },
    reached(from, ms) {
      if (ms <= 0) return from
      const first = segmentAt(from)
      const before = first.before + wall.worked(first.from + first.offset, from + first.offset)
      let last = segments.at(-1)!
      while (last.after < before + ms && last.to < from + horizonMs) last = append(last.to, last.after)
      if (last.after < before + ms) return null
      const found = segments[firstIndex(segments, ({ after }) => after >= before + ms)]!
      const { from: begins, to, offset, before: worked } = found
      const missing = before + ms - Math.max(worked, before)
      const reached = wall.reached(Math.max(begins, from) + offset, missing, to + offset)! - offset
      return reached <= from + horizonMs ? reached : null
    },
    pieces(from, to) {
      const all: Piece[] = []
      for (let at = from; at < to; ) {
        const { to: ends, offset } = zone.at(at)
        const until = Math.min(ends, to)
        for (const piece of wall.pieces(at + offset, until + offset)) {
          const [begins, stops] = [piece.from - offset, piece.to - offset]
          const last = all.at(-1)
          if (last?.to === begins && last.kind === piece.kind) last.to = stops
          else all.push({ from: begins, to: stops, kind: piece.kind })
        }
        at = until
      }
      return all
    },
  }
}
