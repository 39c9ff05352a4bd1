import {
  Enum,
  Flag,
  Int,
  List,
  type Members,
  Nullable,
  Optional,
  Shape,
  type Static,
  Tagged,
  Timestamp,
} from '../../http/schema.ts'
import { defineWire, listOf } from '../../http/wire.ts'
import { type Instant, toInstant } from '../../lib/clock.ts'
import { typeId } from '../../lib/ids.ts'
import type { Reports } from '../../lib/sla/report.ts'
import { priorities } from '../conversations/schema.ts'
import { SlaSchema, slaExample } from '../conversations/sla/schema.ts'
import type { SlaConfig } from './queries.ts'
import { NewSchedule } from './schema.ts'

const maxEvents = 10_000

const at = { at: Timestamp() }
const Event = Tagged('type', {
  operator_reply: at,
  end_user_reply: at,
  hold: {
    ...at,
    pauses_sla: Optional(Flag({ default: true, description: "As the hold's reason would say." })),
  },
  resume: at,
  resolve: at,
  reopen: at,
})
export type SimulatedEvent = Static<typeof Event>

export const Simulation = Shape({
  started_at: Timestamp({ description: 'When an end user opens the conversation, from 1970 to 2199.' }),
  priority: Optional(Enum(priorities, { default: 'normal' })),
  events: Optional(
    List(Event, maxEvents, {
      description:
        'What happens to it, in the order of its times. What its state does not allow changes nothing; replies change its status as messages do.',
    }),
  ),
  as_of: Optional(
    Timestamp({ description: 'When its clocks are looked at, within a hundred years; now, when left out.' }),
  ),
})
export type Simulation = Members<typeof Simulation>

export const simulationExample = {
  started_at: '2026-11-20T09:30:00Z',
  priority: 'normal',
  events: [{ at: '2026-11-20T09:35:00Z', type: 'hold', pauses_sla: false }],
  as_of: '2026-11-20T09:45:00Z',
} as const

export type Simulated = { config: SlaConfig; reports: Reports }

export const simulatedWire = defineWire<Simulated>({
  name: 'Sla',
  schema: SlaSchema,
  example: slaExample,
  present: ({ config, reports }) => ({
    sla_config_id: typeId('sla', config.id),
    sla_config_version: config.version,
    ...reports,
  }),
})

const maxDays = 366

export const SchedulePreview = Shape({
  schedule: Nullable(NewSchedule),
  from: Timestamp({ description: 'From 1970 to 2199.' }),
  days: Int(1, maxDays, { description: 'Of 24 hours each, from `from` on.' }),
})
export type SchedulePreview = Members<typeof SchedulePreview>

export type WorkingSpan = { from: number; to: number }

const workingSpanWire = defineWire<WorkingSpan>({
  name: 'WorkingSpan',
  schema: Shape({ from: Timestamp(), to: Timestamp() }),
  example: { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T16:30:00.000Z' },
  present: ({ from, to }): { from: Instant; to: Instant } => ({ from: toInstant(from), to: toInstant(to) }),
})

/** Of a week's 70 spans each may be cut by midnight and by a change of clocks. */
export const workingSpansWire = listOf('WorkingSpans', workingSpanWire, maxDays * 24)
