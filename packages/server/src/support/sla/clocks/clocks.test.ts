import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cases, Random, seedOf } from '@backline/test/random.ts'
import { anyStory, type Story } from '@backline/test/sla/stories.ts'
import { rounds } from '@backline/test/thorough.ts'
import { agreementOf } from './agreement.ts'
import { calendarOf } from './calendar.ts'
import {
  type Agreement,
  type Alarm,
  begin,
  clockNames,
  follow,
  type Moment,
  pass,
  proceed,
  project,
  type Situation,
} from './clocks.ts'
import { explain } from './explanation.ts'
import { type Reports, reportOf } from './report.ts'
import type { TargetRow, Terms } from './terms.ts'

/*
 * Compares with stopwatches that advance tick by tick. A failure prints its seed and number:
 * BACKLINE_SEED=… BACKLINE_FUZZ_ONLY=<number> npm run test:file --
 * packages/server/src/support/sla/clocks/clocks.test.ts
 */
test('clocks show, warn and explain what stopwatches kept by hand would', (t) => {
  const seed = seedOf(t)
  for (const number of cases(rounds(300, 40))) {
    const story = anyStory(new Random(`${seed}/${number}`))
    const context = `seed ${seed}, number ${number}: ${story.text}\nas of ${new Date(story.asOf).toISOString()}`
    try {
      assertAsCounted(story)
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${context}`, { cause: error })
    }
  }
})

function assertAsCounted({ trace, openedByEndUser, asOf, end, watches }: Story): void {
  const followed = follow(trace, openedByEndUser, asOf)
  const expected = within(end, watches.reports())
  assert.deepEqual(within(end, reportOf(followed)), expected)

  const explained = explain(trace, openedByEndUser, asOf)
  assert.deepEqual(explained.spans, watches.spans())
  for (const name of clockNames) {
    const counted = explained.spans[name].filter(({ reason }) => reason === 'in_schedule')
    const sum = counted.reduce((total, { from, to }) => total + to - from, 0)
    assert.equal(sum, explained.clocks[name]?.used ?? 0)
  }

  const lived = live(trace, openedByEndUser, asOf)
  assert.deepEqual(lived.clocks, followed)
  assert.deepEqual(lived.alarms, inOrder(watches.alarms))
}

/** Reads in between, and steps without meaning for the clocks, change nothing. */
function live(trace: Story['trace'], openedByEndUser: boolean, asOf: number) {
  const alarms: Alarm[] = []
  let was = trace[0]
  let clocks = begin(was, openedByEndUser)
  for (const moment of [...trace.slice(1), { ...trace.at(-1)!, at: asOf }]) {
    const between = Math.floor((was.at + moment.at) / 2)
    assert.deepEqual(pass(pass(clocks, was, between), was, moment.at), pass(clocks, was, moment.at))
    const seen = proceed(clocks, was, { ...was, at: between }, alarms)
    clocks = proceed(seen, was, moment, alarms)
    was = moment
  }
  return { clocks: project(clocks, was), alarms: inOrder(alarms) }
}

const inOrder = (alarms: Alarm[]) =>
  alarms.toSorted(
    (one, other) =>
      one.at - other.at || one.clock.localeCompare(other.clock) || (one.kind < other.kind ? -1 : 1),
  )

/** Spans end at the end of the trace. */
function within(end: number, reports: Reports): Reports {
  const limit = new Date(end).toISOString()
  for (const name of clockNames) {
    const report = reports[name]
    if (report?.due_at && report.due_at > limit) report.due_at = null
  }
  return reports
}

const minute = 60_000
const agreed = (targets: Partial<Agreement['targets']>, terms: Partial<Agreement> = {}): Agreement => ({
  calendar: calendarOf(null),
  targets: { first_response: null, next_response: null, resolution: null, ...targets },
  pausesOnPending: true,
  warnAtPercent: 80,
  ...terms,
})
const asked: Situation = {
  status: 'open',
  paused: false,
  answered: false,
  unanswered_since: 0,
  agreement: null,
}
const answered: Situation = { ...asked, status: 'pending', answered: true, unanswered_since: null }
const at = (minutes: number, situation: Situation, agreement: Agreement | null): Moment => ({
  ...situation,
  at: minutes * minute,
  agreement,
})

test('a target row for the priority wins over the row for any, and without either nothing is promised', () => {
  const row = (priority: string | null, seconds: number) => ({
    priority,
    first_response_seconds: seconds,
    next_response_seconds: null,
    resolution_seconds: null,
  })
  const terms = (...targets: TargetRow[]): Terms => ({
    targets,
    schedule: null,
    pauses_on_pending: true,
    warn_at_percent: null,
  })
  const promised = (targets: TargetRow[], priority: string) =>
    agreementOf(terms(...targets), priority).targets.first_response
  assert.equal(promised([row(null, 9), row('high', 1)], 'high'), 1000)
  assert.equal(promised([row(null, 9), row('high', 1)], 'low'), 9000)
  assert.equal(promised([row('high', 1)], 'low'), null)
})

test('who answers at the very moment that an answer is due, is late', () => {
  const hour = agreed({ first_response: 60 * minute })
  const answeredAt = (minutes: number) =>
    reportOf(follow([at(0, asked, hour), at(minutes, answered, hour)], true, 90 * minute)).first_response
  assert.equal(answeredAt(60)?.status, 'breached')
  assert.equal(answeredAt(60 - 1 / minute)?.status, 'met')
})

test('a message at the very time of one that was answered begins a clock of its own', () => {
  const hour = agreed({ next_response: 60 * minute })
  const askedAgain: Situation = { ...answered, status: 'open', unanswered_since: 10 * minute }
  const trace = [
    at(0, answered, hour),
    at(10, askedAgain, hour),
    at(10, answered, hour),
    at(10, askedAgain, hour),
  ] as const
  assert.equal(reportOf(follow([...trace], true, 20 * minute)).next_response?.status, 'running')
})

test('an answer while nothing is promised meets no clock, whatever changes after a promise is there again', () => {
  const hour = agreed({ first_response: 60 * minute })
  const trace = [
    at(0, asked, hour),
    at(10, asked, null),
    at(20, answered, null),
    at(30, answered, hour),
    at(40, { ...answered, status: 'open' }, hour),
  ] as const
  const { first_response } = reportOf(follow([...trace], true, 50 * minute))
  assert.equal(first_response?.status, 'cancelled')
  assert.equal(first_response.met_at, null)
})

test('a resolution while nothing is promised meets no clock, until it is reopened and resolved again', () => {
  const day = agreed({ resolution: 1440 * minute })
  const resolved: Situation = { ...answered, status: 'resolved' }
  const trace: [Moment, ...Moment[]] = [at(0, asked, null), at(10, resolved, null), at(20, resolved, day)]
  assert.equal(follow(trace, true, 25 * minute).resolution?.phase, 'cancelled')
  trace.push(at(30, { ...answered, status: 'open' }, day), at(40, resolved, day))
  const { resolution } = reportOf(follow(trace, true, 50 * minute))
  assert.equal(resolution?.met_at, '1970-01-01T00:40:00.000Z')
  assert.equal(resolution.elapsed_seconds, 600)
})

test('a clock that is cancelled because nothing is promised any more is not due', () => {
  const day = agreed({ resolution: 1440 * minute })
  const resolved: Situation = { ...answered, status: 'resolved' }
  const trace: [Moment, ...Moment[]] = [at(0, asked, day), at(10, resolved, day), at(20, asked, null)]
  assert.equal(reportOf(follow(trace, true, 30 * minute)).resolution?.due_at, null)
})

test('after a breach nobody is warned, though a new version begins to warn', () => {
  const silent = agreed({ first_response: 60 * minute }, { warnAtPercent: null })
  const alarms: Alarm[] = []
  const late = proceed(begin(at(0, asked, silent), true), at(0, asked, silent), at(90, asked, silent), alarms)
  const warning = at(100, asked, agreed({ first_response: 60 * minute }))
  const changed = proceed(late, at(90, asked, silent), warning, alarms)
  proceed(changed, warning, { ...warning, at: 120 * minute }, alarms)
  assert.deepEqual(alarms, [{ clock: 'first_response', kind: 'breach', at: 60 * minute }])
})

test('a warning at all of the target is the breach', () => {
  const hour = agreed({ first_response: 60 * minute }, { warnAtPercent: 100 })
  const alarms: Alarm[] = []
  proceed(begin(at(0, asked, hour), true), at(0, asked, hour), at(90, asked, hour), alarms)
  assert.deepEqual(alarms, [{ clock: 'first_response', kind: 'breach', at: 60 * minute }])
})

test('a target that is never reached is not due', () => {
  const allDays = Array.from({ length: 366 }, (_, i) =>
    new Date(Date.UTC(2028, 0, 1 + i)).toISOString().slice(0, 10),
  )
  const calendar = calendarOf({
    timezone: 'Europe/Berlin',
    weekly: [{ day: 'mon', from: '09:00', to: '17:00' }],
    holidays: allDays.map((date) => ({ date, name: null, yearly: true })),
  })
  const never = agreed({ first_response: minute }, { calendar })
  const { first_response } = reportOf(follow([at(0, asked, never)], true, 1440 * minute))
  assert.deepEqual(first_response, {
    status: 'running',
    target_seconds: 60,
    elapsed_seconds: 0,
    remaining_seconds: 60,
    due_at: null,
    met_at: null,
    warned_at: null,
    breached_at: null,
  })
})
