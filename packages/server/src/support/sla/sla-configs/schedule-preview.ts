import { type Instant, toInstant } from '../../../platform/kernel/clock.ts'
import { Int, type Members, Nullable, Shape, Timestamp } from '../../../platform/resource/schema.ts'
import { defineWire, listOf } from '../../../platform/resource/wire.ts'
import { NewSchedule } from './schema.ts'
import { StartTime } from './times.ts'

const maxDays = 366

export const SchedulePreview = Shape({
  schedule: Nullable(NewSchedule, { description: 'The schedule to preview; null means around the clock.' }),
  from: StartTime({ description: 'Start of the window, from 1970 to 2199.' }),
  days: Int(1, maxDays, { description: 'Length of the window in days of 24 hours.' }),
})
export type SchedulePreview = Members<typeof SchedulePreview>

export type WorkingSpan = { from: number; to: number }

const workingSpanWire = defineWire<WorkingSpan>({
  name: 'WorkingSpan',
  schema: Shape({
    from: Timestamp({ description: 'Start of the span.' }),
    to: Timestamp({ description: 'End of the span, exclusive.' }),
  }),
  example: { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T16:30:00.000Z' },
  present: ({ from, to }): { from: Instant; to: Instant } => ({ from: toInstant(from), to: toInstant(to) }),
})

/** A week has at most 70 spans, each of which midnight or a clock change may split. */
export const workingSpansWire = listOf('WorkingSpans', workingSpanWire, maxDays * 24)
