import { days, type Holiday, type Schedule, type Span } from '@backline/server/support/sla/clocks/terms.ts'
import type { Random } from '../random.ts'
import { wallClock } from './counter.ts'

/** Random schedules. They favour small hours, midnights, and days off near a given time. */

const hour = 60
const day = 24 * hour
const week = 7 * day

export function anySchedule(random: Random, zone: string, near: number): Schedule {
  return {
    timezone: random.chance(0.1) ? zone.toUpperCase() : zone,
    weekly: random.chance(0.3) ? sameEveryDay(random) : anyWeek(random),
    holidays: Array.from({ length: random.pick([0, 0, 0, 1, 1, 2, 4]) }, () =>
      anyHoliday(random, zone, near),
    ),
  }
}

/** Generates successive spans of a week; the last one may extend into the first day. */
function anyWeek(random: Random): Span[] {
  const spans: Span[] = []
  const first = random.below(day)
  const gaps = random.pick([30, 2 * hour, 10 * hour, 2 * day])
  for (let at = first; at < week; ) {
    const length = Math.min(anyLength(random), week + first - at)
    spans.push(spanOf(random, at, length))
    at += length + (random.chance(0.2) ? 0 : random.between(1, gaps))
  }
  return random.chance(0.5) ? spans : spans.reverse()
}

function sameEveryDay(random: Random): Span[] {
  const from = random.pick([0, 15, 90, 2 * hour, 2 * hour + 30, 9 * hour, 22 * hour, 23 * hour + 30])
  const length = random.pick([1, 30, 45, hour, 8 * hour, 12 * hour, day])
  return Array.from({ length: 7 }, (_, i) => spanOf(random, i * day + from, length))
}

const anyLength = (random: Random) =>
  random.chance(0.2) ? random.pick([1, hour, 8 * hour, day]) : random.between(1, random.pick([90, 600, day]))

function spanOf(random: Random, at: number, length: number): Span {
  const from = at % day
  const to = from + length
  const midnight = from > 0 && random.chance(0.5) ? '00:00' : '24:00'
  return {
    day: days[Math.floor(at / day) % 7]!,
    from: timeOf(from),
    to: to === day ? midnight : timeOf(to % day),
  }
}

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / hour)).padStart(2, '0')}:${String(minutes % hour).padStart(2, '0')}`

function anyHoliday(random: Random, zone: string, near: number): Holiday {
  const { date } = wallClock(zone, near + random.between(-2, 2) * day * 60_000)
  const yearly = random.chance(0.5)
  const anotherYear = `${2000 + 4 * random.below(10)}${date.slice(4)}` // a leap year, so that all days exist
  return { date: yearly || random.chance(0.1) ? anotherYear : date, name: null, yearly }
}
