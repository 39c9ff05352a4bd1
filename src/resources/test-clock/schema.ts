import { Enum, Int, type Members, Optional, Shape, Timestamp } from '../../http/schema.ts'
import { defineWire } from '../../http/wire.ts'
import type { Instant } from '../../lib/clock.ts'

export type TestClock = { now: Instant; offset_seconds: number }
export type AdvancedClock = TestClock & { events_emitted: number }

/** Farther than anything is appointed. */
export const maxAdvanceSeconds = 315_360_000

const fields = {
  object: Enum(['test_clock']),
  now: Timestamp(),
  offset_seconds: Int(0, Number.MAX_SAFE_INTEGER, { description: 'How far it is ahead of real time.' }),
}

const example = { object: 'test_clock', now: '2026-11-27T09:30:00.000Z', offset_seconds: 604_800 }

export const testClockWire = defineWire<TestClock>({
  name: 'TestClock',
  schema: Shape(fields),
  example,
  present: (row) => ({ object: 'test_clock', ...row }),
})

export const advancedClockWire = defineWire<AdvancedClock>({
  name: 'AdvancedTestClock',
  schema: Shape({
    ...fields,
    events_emitted: Int(0, 2147483647, { description: 'Events of the work that fell due on the way.' }),
  }),
  example: { ...example, events_emitted: 3 },
  present: (row) => ({ object: 'test_clock', ...row }),
})

export const Advance = Shape({
  seconds: Optional(Int(1, maxAdvanceSeconds, { description: 'How far. Either this or `to`.' })),
  to: Optional(Timestamp({ description: 'Where to; not before the clock, and at most ten years ahead.' })),
})
export type Advance = Members<typeof Advance>
