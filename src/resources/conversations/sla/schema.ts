import {
  Enum,
  Flag,
  Id,
  Int,
  List,
  Nullable,
  Shape,
  Timestamp,
  type TProperties,
} from '../../../http/schema.ts'
import { defineWire } from '../../../http/wire.ts'
import { type Instant, toEpochMs, toInstant } from '../../../lib/clock.ts'
import { typeId } from '../../../lib/ids.ts'
import { pass } from '../../../lib/sla/clocks.ts'
import { type Explanation, maxSpans, type SpanOfClock } from '../../../lib/sla/explanation.ts'
import { type ClockReport, type Reports, reportOf } from '../../../lib/sla/report.ts'
import type { Conversation } from '../queries.ts'
import { situationOf } from './situation.ts'

const clock = {
  status: Enum(['running', 'paused', 'met', 'breached', 'cancelled'], {
    description: 'A breach stays one: `met_at` then tells whether it was met late.',
  }),
  target_seconds: Int(1, 2147483647),
  elapsed_seconds: Int(0, 2147483647, {
    description: 'What has counted until now: inside the schedule, and not while it was paused.',
  }),
  remaining_seconds: Int(-2147483648, 2147483647, { description: 'Below zero once it is overdue.' }),
  due_at: Nullable(Timestamp(), {
    description:
      'When it is, was or would have been due. Null while it is paused, when it ended so or was cancelled, and where the schedule holds too little time. It stands outside the schedule.',
  }),
  met_at: Nullable(Timestamp()),
  warned_at: Nullable(Timestamp(), { description: 'When so much of it was used that a warning was due.' }),
  breached_at: Nullable(Timestamp()),
}

const descriptions = {
  first_response: 'Until an operator answers what an end user began.',
  next_response: "Until an operator answers an end user's later message; the latest such.",
  resolution: 'Until it is resolved or closed.',
}

const clocksOf = (members: TProperties) => ({
  first_response: Nullable(Shape(members, { description: descriptions.first_response })),
  next_response: Nullable(Shape(members, { description: descriptions.next_response })),
  resolution: Nullable(Shape(members, { description: descriptions.resolution })),
})

const config = {
  sla_config_id: Id('sla'),
  sla_config_version: Int(1, 2147483647, {
    description: "The config's version whose targets and schedule hold.",
  }),
}

/** The clocks of a conversation. What only time changes in them changes no version. */
export const SlaSchema = Shape({ ...config, ...clocksOf(clock) })

const running = {
  status: 'running',
  target_seconds: 3600,
  elapsed_seconds: 900,
  remaining_seconds: 2700,
  due_at: '2026-11-20T10:30:00.000Z',
  met_at: null,
  warned_at: null,
  breached_at: null,
}

export const slaExample = {
  sla_config_id: 'sla_01kah1vgm0e1tbm5ye8n2m9q7c',
  sla_config_version: 1,
  first_response: running,
  next_response: null,
  resolution: {
    ...running,
    target_seconds: 86400,
    remaining_seconds: 85500,
    due_at: '2026-11-27T12:30:00.000Z',
  },
}

/** The example when so much more of it has counted. */
export function slaExampleAfter(seconds: number, changed = {}) {
  const { first_response, resolution } = slaExample
  const used = (clock: typeof running) => ({
    ...clock,
    elapsed_seconds: seconds,
    remaining_seconds: clock.target_seconds - seconds,
  })
  return {
    ...slaExample,
    first_response: { ...used(first_response), ...changed },
    resolution: used(resolution),
  }
}

/** What is shown of a conversation's clocks at a moment. */
export function shownSla(row: Conversation, now: Instant = row.updated_at) {
  if (!row.sla) return null
  return {
    sla_config_id: typeId('sla', row.sla_config_id!),
    sla_config_version: row.sla_config_version,
    ...reportOf(pass(row.sla, situationOf(row), toEpochMs(now))),
  }
}

export type ExplainedSla = {
  sla_config_id: string | null
  sla_config_version: number | null
  explanation: Explanation | null
}

const reasons = ['in_schedule', 'outside_schedule', 'holiday', 'on_hold', 'pending', 'answered'] as const

const spans = List(
  Shape({ from: Timestamp(), to: Timestamp(), counted: Flag(), reason: Enum(reasons) }),
  maxSpans,
  {
    description: `From its beginning until now or its end, without a gap; of more than ${maxSpans}, the latest. What counted adds up to \`elapsed_seconds\`.`,
  },
)

const explained = (report: ClockReport | null, all: SpanOfClock[]) =>
  report && {
    ...report,
    spans: all.map(({ from, to, reason }) => ({
      from: toInstant(from),
      to: toInstant(to),
      counted: reason === 'in_schedule',
      reason,
    })),
  }

/** Before work begins, and then. */
const spansExample = [
  {
    from: '2026-11-20T07:30:00.000Z',
    to: '2026-11-20T08:00:00.000Z',
    counted: false,
    reason: 'outside_schedule',
  },
  { from: '2026-11-20T08:00:00.000Z', to: '2026-11-20T08:15:00.000Z', counted: true, reason: 'in_schedule' },
]

const noReports: Reports = { first_response: null, next_response: null, resolution: null }

export const explainedSlaWire = defineWire<ExplainedSla>({
  name: 'ExplainedSla',
  schema: Shape({
    sla_config_id: Nullable(config.sla_config_id, { description: 'Null where no config was ever for it.' }),
    sla_config_version: Nullable(config.sla_config_version),
    ...clocksOf({ ...clock, spans }),
  }),
  example: {
    ...slaExample,
    first_response: {
      ...running,
      due_at: '2026-11-20T09:00:00.000Z',
      spans: spansExample,
    },
    resolution: {
      ...slaExample.resolution,
      due_at: '2026-11-27T11:00:00.000Z',
      spans: spansExample,
    },
  },
  present: ({ sla_config_id, sla_config_version, explanation }) => {
    const reports = explanation ? reportOf(explanation.clocks) : noReports
    const spansOf = (name: keyof Reports) => explained(reports[name], explanation?.spans[name] ?? [])
    return {
      sla_config_id: sla_config_id && typeId('sla', sla_config_id),
      sla_config_version,
      first_response: spansOf('first_response'),
      next_response: spansOf('next_response'),
      resolution: spansOf('resolution'),
    }
  },
})
