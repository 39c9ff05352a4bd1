import { type Day, days, type Schedule } from '@backline/server/support/sla/clocks/terms.ts'
import type { Piece, PieceKind } from '@backline/server/support/sla/clocks/wall-time.ts'

/*
 * Working time, counted tick by tick: `Temporal` gives the wall clock at each time, and the schedule says whether it
 * counts. The code is independent of the arithmetic that it verifies.
 */

/** A number of ticks from a time on; each is a second or a minute, and counts as a whole or not at all. */
export type Ticks = { start: number; tickMs: number; kinds: PieceKind[] }

export type WallClock = { date: string; day: Day; time: string }

export function wallClock(zone: string, unixMs: number): WallClock {
  const local = Temporal.Instant.fromEpochMilliseconds(unixMs).toZonedDateTimeISO(zone)
  const text = local.toPlainDateTime().toString()
  return { date: text.slice(0, 10), day: days[local.dayOfWeek - 1]!, time: text.slice(11, 16) }
}

const seen = new Map<string, Map<number, WallClock>>()

/** The wall clock is constant within a minute; calendar.test.ts verifies this. */
function wallClockInMinute(zone: string, unixMs: number): WallClock {
  const minute = Math.floor(unixMs / 60_000)
  const ofZone = seen.get(zone) ?? new Map<number, WallClock>()
  seen.set(zone, ofZone)
  const shown = ofZone.get(minute) ?? wallClock(zone, minute * 60_000)
  ofZone.set(minute, shown)
  return shown
}

export function kindAt({ timezone, weekly, holidays }: Schedule, unixMs: number): PieceKind {
  const { date, day, time } = wallClockInMinute(timezone, unixMs)
  const isOff = holidays.some((each) =>
    each.yearly ? each.date.slice(5) === date.slice(5) : each.date === date,
  )
  if (isOff) return 'holiday'
  const dayBefore = days[(days.indexOf(day) + 6) % 7]
  const counts = weekly.some((span) =>
    span.from < span.to
      ? span.day === day && span.from <= time && time < span.to
      : (span.day === day && span.from <= time) || (span.day === dayBefore && time < span.to),
  )
  return counts ? 'in_schedule' : 'outside_schedule'
}

export function ticksOf(schedule: Schedule | null, start: number, count: number, tickMs: number): Ticks {
  const kinds: PieceKind[] = []
  for (let i = 0; i < count; i++) {
    const at = start + i * tickMs
    const sameMinute = i > 0 && at % 60_000 !== 0
    kinds.push(sameMinute ? kinds[i - 1]! : schedule ? kindAt(schedule, at) : 'in_schedule')
  }
  return { start, tickMs, kinds }
}

export const momentOf = ({ start, tickMs }: Ticks, tick: number) => start + tick * tickMs

export function counted({ kinds, tickMs }: Ticks, from: number, to: number): number {
  let sum = 0
  for (let i = from; i < to; i++) if (kinds[i] === 'in_schedule') sum += tickMs
  return sum
}

/** Returns null if the time is not reached before the ticks end. */
export function reachedBy(ticks: Ticks, from: number, ms: number): number | null {
  let missing = ms
  if (missing <= 0) return momentOf(ticks, from)
  for (let i = from; i < ticks.kinds.length; i++) {
    if (ticks.kinds[i] !== 'in_schedule') continue
    if (missing <= ticks.tickMs) return momentOf(ticks, i) + missing
    missing -= ticks.tickMs
  }
  return null
}

export function piecesOf(ticks: Ticks, from: number, to: number): Piece[] {
  const pieces: Piece[] = []
  for (let i = from; i < to; i++) {
    const kind = ticks.kinds[i]!
    if (i > from && ticks.kinds[i - 1] === kind) pieces.at(-1)!.to = momentOf(ticks, i + 1)
    else pieces.push({ from: momentOf(ticks, i), to: momentOf(ticks, i + 1), kind })
  }
  return pieces
}
