import type { Instant } from '../../../platform/kernel/clock.ts'
import {
  Enum,
  Int,
  type Members,
  Optional,
  Shape,
  Timestamp,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'

export type TestClock = { now: Instant; offset_seconds: number }
export type AdvancedClock = TestClock & { events_emitted: number; remaining_seconds: number }

/** Beyond all scheduled work. */
export const maxAdvanceSeconds = 315_360_000

const fields = {
  object: Enum(['test_clock']),
  now: Timestamp({ description: 'The current time of the environment.' }),
  offset_seconds: Int(0, Number.MAX_SAFE_INTEGER, {
    description: 'Seconds by which the clock is ahead of real time.',
  }),
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
    events_emitted: Int(0, 2147483647, {
      description: 'The number of events emitted by work that became due.',
    }),
    remaining_seconds: Int(0, maxAdvanceSeconds, {
      description:
        'How far the clock still has to go. 0 unless there was more work than fits into one request: to continue, advance the clock by this, with another `Idempotency-Key`.',
    }),
  }),
  example: { ...example, events_emitted: 3, remaining_seconds: 0 },
  present: (row) => ({ object: 'test_clock', ...row }),
})

export const Advance = WithCheck(
  Shape({
    seconds: Optional(
      Int(1, maxAdvanceSeconds, {
        description: 'Seconds to advance the clock by. Set either `seconds` or `to`.',
      }),
    ),
    to: Optional(
      Timestamp({
        description:
          'The time to advance the clock to; not before its current time, and at most ten years ahead.',
      }),
    ),
  }),
  ({ seconds, to }) => {
    if (seconds === undefined && to === undefined)
      return [{ pointer: '/seconds', code: 'required', detail: 'is required unless to is set' }]
    if (seconds === undefined || to === undefined) return []
    return [{ pointer: '/to', code: 'not_allowed', detail: 'cannot be combined with seconds' }]
  },
  ['seconds', 'to'],
)
export type Advance = Members<typeof Advance>
