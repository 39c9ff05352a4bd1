import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { counted, momentOf, piecesOf, reachedBy, ticksOf, wallClock } from '@backline/test/sla/counter.ts'
import { anySchedule } from '@backline/test/sla/schedules.ts'
import { changes, quiet } from '@backline/test/sla/windows.ts'
import { rounds } from '@backline/test/thorough.ts'
import { calendarOf } from './calendar.ts'
import { days, type Holiday, type Span } from './terms.ts'

/*
 * Compares with a counter that checks each minute, or each second. A failure prints its seed and number:
 * BACKLINE_SEED=… BACKLINE_FUZZ_ONLY=<number> npm run test:file --
 * packages/server/src/support/sla/clocks/calendar.test.ts
 */
test('working time is what counting it tick by tick gives', (t) => {
  const seed = seedOf(t)
  for (const number of cases(rounds(150, 20))) {
    const random = new Random(`${seed}/${number}`)
    const { zone, at } = random.pick(random.chance(0.85) ? changes : quiet)
    const [tickMs, count] = random.chance(0.7) ? [60_000, random.between(60, 4320)] : [1000, 4 * 3600]
    const start = Date.parse(at) - random.below(count) * tickMs
    const schedule = anySchedule(random, zone, Date.parse(at))
    const ticks = ticksOf(schedule, start, count, tickMs)
    const calendar = calendarOf(schedule)
    const context = `seed ${seed}, number ${number}: from ${new Date(start).toISOString()}, ${JSON.stringify(schedule)}`
    assert.deepEqual(calendar.pieces(start, momentOf(ticks, count)), piecesOf(ticks, 0, count), context)
    for (let i = 0; i < 10; i++) {
      const [from, to] = [random.below(count), random.between(0, count)].sort((a, b) => a - b) as [
        number,
        number,
      ]
      const [begins, ends] = [momentOf(ticks, from), momentOf(ticks, to)]
      const where = `${new Date(begins).toISOString()} to ${new Date(ends).toISOString()}; ${context}`
      const worked = counted(ticks, from, to)
      assert.equal(calendar.worked(begins, ends), worked, where)
      assert.deepEqual(calendar.pieces(begins, ends), piecesOf(ticks, from, to), where)
      const wanted = [worked, worked - 1, worked + 1, random.between(1, count) * tickMs]
      for (const ms of wanted) {
        const expected = reachedBy(ticks, from, ms)
        const reached = calendar.reached(begins, ms)
        if (expected !== null) assert.equal(reached, expected, `${ms} ms from ${where}`)
        else assert.ok(reached === null || reached > momentOf(ticks, count), `${ms} ms from ${where}`)
      }
    }
  }
})

test('the clocks change where the windows say, and always at a whole minute', () => {
  for (const { zone, at } of changes) {
    const change = Date.parse(at)
    const offset = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).offset
    assert.notEqual(offset(change - 1), offset(change), `${zone} ${at}`)
    for (let second = -600; second < 600; second++) {
      const moment = change + second * 1000
      const minute = Math.floor(moment / 60_000) * 60_000
      assert.deepEqual(wallClock(zone, moment), wallClock(zone, minute), `${zone} ${second} s from ${at}`)
    }
  }
})

const workdays = (from: string, to: string) => days.slice(0, 5).map((day) => ({ day, from, to }))
const everyDay = (from: string, to: string) => days.map((day) => ({ day, from, to }))

function inBerlin(weekly: Span[], ...holidays: (string | Holiday)[]) {
  const dates = holidays.map((each) =>
    typeof each === 'string' ? { date: each, name: null, yearly: false } : each,
  )
  const calendar = calendarOf({ timezone: 'Europe/Berlin', weekly, holidays: dates })
  const moment = (local: string) =>
    Temporal.PlainDateTime.from(local).toZonedDateTime('Europe/Berlin').epochMilliseconds
  return {
    hours: (from: string, to: string) => calendar.worked(moment(from), moment(to)) / hour,
    /** In wall-clock time. */
    after(from: string, hours: number): string | null {
      const reached = calendar.reached(moment(from), hours * hour)
      if (reached === null) return null
      const local = Temporal.Instant.fromEpochMilliseconds(reached).toZonedDateTimeISO('Europe/Berlin')
      return local.toPlainDateTime().toString({ smallestUnit: 'minute' })
    },
    pieces: (from: string, to: string) =>
      calendar
        .pieces(moment(from), moment(to))
        .map(({ from, to, kind }) => `${(to - from) / hour} h ${kind}`),
  }
}
const hour = 3_600_000

test('split shifts count without the break between them, and what is due at the end of one is due then', () => {
  const split = inBerlin([...workdays('09:00', '12:00'), ...workdays('13:00', '17:00')])
  assert.equal(split.hours('2026-11-16T00:00', '2026-11-17T00:00'), 7)
  assert.equal(split.after('2026-11-16T11:00', 1), '2026-11-16T12:00')
  assert.equal(split.after('2026-11-16T11:00', 2), '2026-11-16T14:00')
  assert.equal(split.after('2026-11-20T16:00', 2), '2026-11-23T10:00')
  assert.deepEqual(split.pieces('2026-11-16T08:00', '2026-11-16T13:30'), [
    '1 h outside_schedule',
    '3 h in_schedule',
    '1 h outside_schedule',
    '0.5 h in_schedule',
  ])
})

test('a night shift belongs to the day on which it begins, over the end of the week too', () => {
  const nights = inBerlin([{ day: 'sun', from: '22:00', to: '06:00' }])
  assert.equal(nights.hours('2026-11-15T00:00', '2026-11-16T00:00'), 2)
  assert.equal(nights.hours('2026-11-16T00:00', '2026-11-17T00:00'), 6)
  assert.equal(nights.after('2026-11-15T23:00', 7), '2026-11-16T06:00')
  assert.equal(nights.after('2026-11-15T23:00', 8), '2026-11-22T23:00')
})

test('a holiday cuts a night shift at its midnights: of the one before it the morning, of its own the evening', () => {
  const nights = inBerlin(everyDay('22:00', '06:00'), '2026-12-25')
  assert.equal(nights.hours('2026-12-24T12:00', '2026-12-25T12:00'), 2)
  assert.equal(nights.hours('2026-12-25T12:00', '2026-12-26T12:00'), 6)
  assert.equal(nights.after('2026-12-24T22:00', 2), '2026-12-25T00:00')
  assert.equal(nights.after('2026-12-24T22:00', 3), '2026-12-26T01:00')
  assert.deepEqual(nights.pieces('2026-12-24T22:00', '2026-12-26T06:00'), [
    '2 h in_schedule',
    '24 h holiday',
    '6 h in_schedule',
  ])
})

test('of the hour that spring takes away nothing counts, and the one that autumn gives back counts twice', () => {
  const nights = inBerlin(everyDay('22:00', '06:00'))
  assert.equal(nights.hours('2026-03-28T12:00', '2026-03-29T12:00'), 7)
  assert.equal(nights.hours('2026-10-24T12:00', '2026-10-25T12:00'), 9)
  assert.equal(nights.after('2026-03-29T01:00', 2), '2026-03-29T04:00')
  assert.equal(nights.after('2026-10-25T01:00', 3), '2026-10-25T03:00')
  assert.equal(inBerlin(everyDay('02:00', '03:00')).hours('2026-03-29T00:00', '2026-03-30T00:00'), 0)
  assert.equal(inBerlin(everyDay('02:00', '03:00')).hours('2026-10-25T00:00', '2026-10-26T00:00'), 2)
  assert.equal(inBerlin(everyDay('02:30', '02:30')).hours('2026-03-28T12:00', '2026-03-29T12:00'), 23)
})

test('the hour before a change is known when the first thing ever asked was the change', () => {
  const inMadrid = calendarOf({ timezone: 'Europe/Madrid', weekly: everyDay('00:00', '02:30'), holidays: [] })
  const change = Date.parse('2026-03-29T01:00Z')
  assert.equal(inMadrid.worked(change, change + hour), 0)
  assert.equal(inMadrid.worked(change - 2 * hour, change), 2 * hour)
})

test('a day that a zone left out is no working day', () => {
  const calendar = calendarOf({ timezone: 'Pacific/Apia', weekly: everyDay('00:00', '24:00'), holidays: [] })
  const wednesday = Date.parse('2011-12-28T00:00-10:00')
  const sunday = Date.parse('2012-01-01T00:00+14:00')
  assert.equal(calendar.worked(wednesday, sunday), 3 * 24 * hour)
})

test('a target of 90 days at two hours a week is due in twenty years', () => {
  const mondays = inBerlin([{ day: 'mon', from: '09:00', to: '11:00' }])
  assert.equal(mondays.after('2026-01-05T09:00', 90 * 24), '2046-09-10T11:00')
})

test('never, and soon said, where holidays leave no hour', () => {
  const leapYear = Array.from({ length: 366 }, (_, i) =>
    new Date(Date.UTC(2028, 0, 1 + i)).toISOString().slice(0, 10),
  )
  const allDays = leapYear.map((date) => ({ date, name: null, yearly: true }))
  const before = process.threadCpuUsage()
  assert.equal(inBerlin(everyDay('09:00', '17:00'), ...allDays).after('2026-01-01T00:00', 1), null)
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 2_000_000, `${user + system} µs`)
  const butLeapDays = allDays.filter(({ date }) => date !== '2028-02-29')
  assert.equal(
    inBerlin(everyDay('09:00', '17:00'), ...butLeapDays).after('2026-01-01T00:00', 9),
    '2032-02-29T10:00',
  )
})

test('never, where more is asked for than a hundred years hold', () => {
  const mondays = inBerlin([{ day: 'mon', from: '09:00', to: '09:01' }])
  assert.equal(mondays.after('2026-01-01T00:00', 24 * 365), null)
  assert.equal(calendarOf(null).reached(0, 101 * 366 * 24 * hour), null)
})

test('a yearly holiday on 29 February is one in leap years alone', () => {
  const office = inBerlin(everyDay('09:00', '17:00'), { date: '2024-02-29', name: null, yearly: true })
  assert.equal(office.hours('2027-02-28T00:00', '2027-03-02T00:00'), 16)
  assert.equal(office.hours('2028-02-28T00:00', '2028-03-02T00:00'), 16)
  assert.equal(office.hours('2028-02-29T00:00', '2028-03-01T00:00'), 0)
  assert.equal(office.hours('2100-02-28T00:00', '2100-03-02T00:00'), 16) // 2100 is not a leap year
})

test('the rules of summer time hold in the year 2100, and of years below 100 as well', () => {
  const nights = inBerlin(everyDay('22:00', '06:00'), { date: '2026-12-25', name: null, yearly: true })
  assert.equal(nights.hours('2100-03-27T12:00', '2100-03-28T12:00'), 7)
  assert.equal(nights.hours('2100-10-30T12:00', '2100-10-31T12:00'), 9)
  assert.equal(nights.hours('2100-12-25T00:00', '2100-12-26T00:00'), 0)
  assert.equal(nights.hours('0050-12-25T00:00', '0050-12-26T00:00'), 0)
})
