import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agreementOf } from './agreement.ts'
import type { Moment } from './clocks.ts'
import { explain, maxSpans } from './explanation.ts'
import { days } from './terms.ts'
import { dayMs } from './wall-time.ts'

const hours = Array.from({ length: 10 }, (_, i) => `${String(2 * i).padStart(2, '0')}:`)
const terms = {
  targets: [
    { priority: null, first_response_seconds: null, next_response_seconds: null, resolution_seconds: 60 },
  ],
  schedule: {
    timezone: 'Europe/Berlin',
    weekly: days.flatMap((day) => hours.map((hour) => ({ day, from: `${hour}00`, to: `${hour}30` }))),
    holidays: [],
  },
  pauses_on_pending: false,
  warn_at_percent: null,
}

test('of a clock that runs for ninety years tells the latest spans, without a gap, and what it used as a whole', () => {
  const start = Date.parse('2026-01-01T00:00:00Z')
  const moment: Moment = {
    at: start,
    status: 'open',
    paused: false,
    answered: false,
    unanswered_since: null,
    agreement: agreementOf(terms, 'normal'),
  }
  const asOf = start + 90 * 365 * dayMs
  const trace = Array.from({ length: 1000 }, (_, i) => ({ ...moment, at: start + i * 30 * dayMs }))
  for (const { clocks, spans } of [
    explain([moment], true, asOf),
    explain(trace as [Moment, ...Moment[]], true, asOf),
  ]) {
    const told = spans.resolution
    assert.equal(told.at(-1)!.to, asOf)
    assert.equal(told.length, maxSpans)
    for (const [i, span] of told.slice(1).entries()) assert.equal(span.from, told[i]!.to)
    const used = clocks.resolution!.used / dayMs
    assert.ok(used > 18_000 / 24 && Math.abs(used - (90 * 365 * 5) / 24) < 1, `${used} days`)
  }
})
