import { type Instant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  List,
  Nullable,
  Shape,
  Timestamp,
  type TSchema,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { pass } from '../../sla/clocks/clocks.ts'
import { type Explanation, maxSpans, type SpanOfClock } from '../../sla/clocks/explanation.ts'
import { type ClockReport, type Reports, reportOf } from '../../sla/clocks/report.ts'
import type { Conversation } from './queries.ts'
import { situationOf } from './sla-situation.ts'

const clock = {
  status: Enum(['running', 'paused', 'met', 'breached', 'cancelled'], {
    description:
      'The state of the clock. A breached clock stays breached; `met_at` is set if the target was met late.',
  }),
  target_seconds: Int(1, 2147483647),
  elapsed_seconds: Int(0, 2147483647, {
    description: 'Seconds counted so far: time inside the schedule during which the clock was not paused.',
  }),
  remaining_seconds: Int(-2147483648, 2147483647, {
    description: 'Seconds left until the target; negative once the clock is overdue.',
  }),
  due_at: Nullable(Timestamp(), {
    description:
      'The time at which the target is, was or would have been used up. Null while the clock is paused, if it ended paused or was cancelled, and if the schedule has too little time. Also set outside business hours.',
  }),
  met_at: Nullable(Timestamp()),
  warned_at: Nullable(Timestamp(), { description: 'The time at which the warning threshold was reached.' }),
  breached_at: Nullable(Timestamp()),
}

const descriptions = {
  first_response: 'Runs until an operator answers a conversation that the end user started.',
  next_response:
    'Runs until an operator answers a later message of the end user. Shows the latest such clock.',
  resolution: 'Runs until the conversation is resolved or closed.',
}

const clocksOf = (clock: TSchema) => ({
  first_response: Nullable(clock, { description: descriptions.first_response }),
  next_response: Nullable(clock, { description: descriptions.next_response }),
  resolution: Nullable(clock, { description: descriptions.resolution }),
})

const config = {
  sla_config_id: Id('sla'),
  sla_config_version: Int(1, 2147483647, {
    description: 'The version of the SLA config whose targets and schedule apply.',
  }),
}

/** The clocks of a conversation. Values that change with time alone do not change its version. */
export const SlaSchema = Shape({ ...config, ...clocksOf(Shape(clock, { title: 'SlaClock' })) })

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

/** The example after further seconds have counted. */
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

/** The clocks of a conversation as of a time. */
export function shownSla(row: Conversation, now: Instant = row.updated_at) {
  if (!row.sla) return null
  return {
    sla_config_id: typeId('sla', row.sla_config_id!),
    sla_config_version: row.sla_config_version,
    ...reportOf(pass(row.sla, situationOf(row), toUnixMs(now))),
  }
}

export type ExplainedSla = {
  sla_config_id: string | null
  sla_config_version: number | null
  explanation: Explanation | null
}

const reasons = ['in_schedule', 'outside_schedule', 'holiday', 'on_hold', 'pending', 'answered'] as const

const spans = List(
  Shape({ from: Timestamp(), to: Timestamp(), counted: Flag(), reason: Enum(reasons) }, { title: 'SlaSpan' }),
  maxSpans,
  {
    description: `Spans from the start of the clock until now or its end, without gaps; at most the latest ${maxSpans}. The counted spans add up to \`elapsed_seconds\`.`,
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

/** Before and after work begins. */
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
    sla_config_id: Nullable(config.sla_config_id, {
      description: 'The SLA config; null if none has ever applied to the conversation.',
    }),
    sla_config_version: Nullable(config.sla_config_version),
    ...clocksOf(Shape({ ...clock, spans }, { title: 'ExplainedSlaClock' })),
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
