import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scaleOf } from '../packages/console/src/inbox/side/sla/scale.ts'
import { type Line, lineOf } from '../packages/console/src/inbox/side/sla/segments.ts'
import type { ExplainedSlaClock, SlaSpan } from '../packages/sdk/src/index.ts'

const hourMs = 3_600_000
const startMs = Date.parse('2026-11-23T09:00:00Z')
const at = (hours: number): string => new Date(startMs + hours * hourMs).toISOString()

type Told = [fromHour: number, toHour: number, reason: SlaSpan['reason']]

const spansOf = (told: Told[]): SlaSpan[] =>
  told.map(([from, to, reason]) => ({
    from: at(from),
    to: at(to),
    counted: reason === 'in_schedule',
    reason,
  }))

function clockOf(told: Told[], targetHours: number, more: Partial<ExplainedSlaClock>): ExplainedSlaClock {
  const counted = told.reduce(
    (sum, [from, to, reason]) => sum + (reason === 'in_schedule' ? to - from : 0),
    0,
  )
  return {
    status: 'running',
    target_seconds: targetHours * 3_600,
    elapsed_seconds: counted * 3_600,
    remaining_seconds: (targetHours - counted) * 3_600,
    due_at: null,
    met_at: null,
    warned_at: null,
    breached_at: null,
    spans: spansOf(told),
    ...more,
  }
}

const seenAt = (hours: number) => ({
  nowMs: startMs + hours * hourMs,
  asOfMs: startMs + hours * hourMs,
  warnAtPercent: 50,
  working: null,
})

const hoursOf = ({ segments }: Line) =>
  segments.map(({ fromMs, toMs, kind, level }) => [
    (fromMs - startMs) / hourMs,
    (toMs - startMs) / hourMs,
    kind,
    level,
  ])

describe('the line of a clock', () => {
  test('continues to the target, and changes its level at the warning', () => {
    const line = lineOf(clockOf([[0, 1, 'in_schedule']], 4, { due_at: at(4) }), seenAt(1))
    assert.deepEqual(hoursOf(line), [
      [0, 1, 'in_schedule', 'calm'],
      [1, 2, 'ahead', 'calm'],
      [2, 4, 'ahead', 'warned'],
    ])
    assert.equal(line.isOpen, true)
  })

  test('grows with the time since the answer', () => {
    const clock = clockOf([[0, 1, 'in_schedule']], 4, { due_at: at(4) })
    const line = lineOf(clock, { ...seenAt(1), nowMs: startMs + 1.5 * hourMs })
    assert.deepEqual(hoursOf(line)[0], [0, 1.5, 'in_schedule', 'calm'])
  })

  test('shows the hours of the schedule until the target', () => {
    const clock = clockOf([[0, 8, 'in_schedule']], 12, { due_at: at(28) })
    const working = [{ fromMs: startMs + 24 * hourMs, toMs: startMs + 32 * hourMs }]
    const line = lineOf(clock, { ...seenAt(8), working })
    assert.deepEqual(hoursOf(line).slice(-2), [
      [8, 24, 'outside_schedule', 'warned'],
      [24, 28, 'ahead', 'warned'],
    ])
  })

  test('has no time for the target while it is paused, but the length of what is left', () => {
    const told: Told[] = [
      [0, 1, 'in_schedule'],
      [1, 5, 'on_hold'],
    ]
    const line = lineOf(clockOf(told, 4, { status: 'paused' }), seenAt(5))
    assert.equal(line.isOpenEnded, true)
    assert.equal(line.toMs - line.nowMs, 3 * hourMs)
  })

  test('shows time after a breach as such', () => {
    const clock = clockOf([[0, 6, 'in_schedule']], 4, {
      status: 'breached',
      due_at: at(4),
      warned_at: at(2),
      breached_at: at(4),
    })
    assert.deepEqual(hoursOf(lineOf(clock, seenAt(6))), [
      [0, 2, 'in_schedule', 'calm'],
      [2, 4, 'in_schedule', 'warned'],
      [4, 6, 'in_schedule', 'over'],
    ])
  })

  test('ends where a met clock was due', () => {
    const clock = clockOf([[0, 1, 'in_schedule']], 4, { status: 'met', met_at: at(1), due_at: at(4) })
    const line = lineOf(clock, seenAt(9))
    assert.deepEqual(hoursOf(line).at(-1), [1, 4, 'after', 'calm'])
    assert.equal(line.isOpen, false)
  })
})

describe('the scale of a line', () => {
  const width = 276
  const week: Told[] = Array.from({ length: 5 }, (_, day): Told[] => [
    [day * 24, day * 24 + 8, 'in_schedule'],
    [day * 24 + 8, (day + 1) * 24, 'outside_schedule'],
  ]).flat()

  test('covers the width without gaps, whatever the number of spans', () => {
    for (const days of [1, 5, 400]) {
      const told = Array.from({ length: days }, (_, day): Told[] => [
        [day * 24, day * 24 + 8, 'in_schedule'],
        [day * 24 + 8, (day + 1) * 24, 'outside_schedule'],
      ]).flat()
      const { placed } = scaleOf(lineOf(clockOf(told, 10_000, {}), seenAt(days * 24)).segments, width)
      assert.equal(placed[0]!.x, 0)
      for (const [i, each] of placed.slice(1).entries())
        assert.ok(Math.abs(each.x - (placed[i]!.x + placed[i]!.width)) < 0.001)
      const last = placed.at(-1)!
      assert.ok(Math.abs(last.x + last.width - width) < 0.5, `${days} days end at ${last.x + last.width}`)
    }
  })

  test('compresses nights, and leaves most of the room to what counts', () => {
    const line = lineOf(clockOf(week, 40, { status: 'met', met_at: at(120) }), seenAt(120))
    const { placed } = scaleOf(line.segments, width)
    const nights = placed.filter(({ kind }) => kind === 'outside_schedule')
    const counted = placed.filter(({ countedMs }) => countedMs > 0)
    const sum = (segments: typeof placed) => segments.reduce((total, each) => total + each.width, 0)
    assert.ok(nights.every(({ isCompressed }) => isCompressed))
    assert.ok(sum(counted) > width / 2)
  })

  test('leaves at least two fifths to the time until the target, however late the answer', () => {
    const clock = clockOf([[0, 500, 'in_schedule']], 1, {
      status: 'breached',
      due_at: at(1),
      breached_at: at(1),
    })
    const { placed } = scaleOf(lineOf(clock, seenAt(500)).segments, width)
    const over = placed.find(({ level }) => level === 'over')!
    assert.equal(over.isCompressed, true)
    assert.ok(over.x > width * 0.4)
  })

  test('finds places of times in their order', () => {
    const { xOf } = scaleOf(lineOf(clockOf(week, 60, {}), seenAt(120)).segments, width)
    const places = Array.from({ length: 121 }, (_, hour) => xOf(startMs + hour * hourMs))
    assert.deepEqual(
      places.toSorted((one, other) => one - other),
      places,
    )
    assert.equal(places[0], 0)
  })
})
