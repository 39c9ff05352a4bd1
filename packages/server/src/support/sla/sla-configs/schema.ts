import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  DistinctIds,
  Enum,
  Flag,
  Id,
  Int,
  List,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  TimeZone,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { channels, maxTags, priorities } from '../../vocabulary/conversations.ts'
import type { Span } from '../clocks/terms.ts'
import { days } from '../clocks/terms.ts'
import type { SlaConfig } from './queries.ts'
import { faultsInHolidays, faultsInTargets, faultsInWeek } from './term-faults.ts'

const tenYears = 10 * 365 * 24 * 60 * 60

const conditions = {
  department_ids: List(Id('dept'), 100, { description: 'The department is one of these.' }),
  category_ids: List(Id('cat'), 100, {
    description: 'The category is one of these; subcategories must be named themselves.',
  }),
  company_ids: List(Id('co'), 100, { description: 'The company is one of these.' }),
  priorities: List(Enum(priorities), priorities.length, { description: 'The priority is one of these.' }),
  channels: List(Enum(channels), channels.length, { description: 'The channel is one of these.' }),
  tags_any: List(Text(1, 50), maxTags, {
    description:
      'The conversation has one of these tags, named regardless of case. Unknown tags in a request are created.',
  }),
}
const conditionNotes =
  'The conversations the config applies to: those that match every condition. A condition matches if any of its values does; an empty list always matches.'

const newConditions = (merging = '') =>
  Nullable(
    PartialShape(
      {
        department_ids: Nullable(conditions.department_ids),
        category_ids: Nullable(conditions.category_ids),
        company_ids: Nullable(conditions.company_ids),
        priorities: Nullable(conditions.priorities),
        channels: Nullable(conditions.channels),
        tags_any: Nullable(conditions.tags_any),
      },
      { title: 'SlaConditions' },
    ),
    {
      description: `${conditionNotes}${merging} \`null\`, for one condition or for the whole object, always matches.`,
    },
  )
export type NewConditions = SlaConfigPatch['conditions']

const target = {
  priority: Nullable(Enum(priorities), {
    description: 'The priority the target is for; null means every priority without a target of its own.',
  }),
  first_response_seconds: Nullable(Int(1, tenYears), {
    description: 'Time to the first public answer; null means no target.',
  }),
  next_response_seconds: Nullable(Int(1, tenYears), {
    description: 'Time to the answer to each later message of the end user; null means no target.',
  }),
  resolution_seconds: Nullable(Int(1, tenYears), {
    description: 'Time until the conversation is resolved or closed; null means no target.',
  }),
}
const maxTargets = 5
const targetNotes = {
  description:
    'Targets by priority: at most one for each priority, and one for all others. At least one has a time.',
}
const newTargets = WithCheck(
  List(PartialShape(target, { title: 'SlaTarget' }), maxTargets, targetNotes),
  faultsInTargets,
)

const span = {
  day: Enum(days, { description: 'The day of the week on which the span starts.' }),
  from: Type.String({
    maxLength: 5,
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
    examples: ['09:00'],
    description: 'Start of the span, in the time zone of the schedule.',
  }),
  to: Type.String({
    maxLength: 5,
    pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
    examples: ['17:30'],
    description:
      'End of the span, exclusive; `24:00` is the end of the day. A time before `from` is on the next day.',
  }),
}
const yearly = (notes: { default?: boolean } = {}) =>
  Flag({ description: 'Whether the holiday repeats every year.', ...notes })
const holiday = {
  date: Type.String({
    maxLength: 10,
    pattern: '^\\d{4}-\\d\\d-\\d\\d$',
    examples: ['2026-12-25'],
    description: 'The date in the time zone of the schedule.',
  }),
  name: Nullable(Name(100), { description: 'The name of the holiday.' }),
  yearly: yearly(),
}
const schedule = {
  timezone: TimeZone({ description: 'An IANA time zone name.' }),
  weekly: WithCheck(
    List(Shape(span, { title: 'ScheduleSpan' }), 70, {
      minItems: 1,
      description: 'Weekly spans in which time counts. Spans may touch but must not overlap.',
    }),
    faultsInWeek,
  ),
}
const maxHolidays = 500
const holidaysNotes = { description: 'Days on which no time counts, from 00:00 to 24:00.' }
const newHolidays = WithCheck(
  List(
    Shape(
      { date: holiday.date, name: Optional(holiday.name), yearly: Optional(yearly({ default: false })) },
      { title: 'Holiday' },
    ),
    maxHolidays,
    holidaysNotes,
  ),
  faultsInHolidays,
)
const scheduleNotes = 'Business hours in which time counts; null means around the clock.'

export const NewSchedule = Shape({ ...schedule, holidays: Optional(newHolidays) }, { title: 'Schedule' })

const plain = {
  name: Name(50, { description: 'The name, unique regardless of case.' }),
  description: Nullable(Text(1, 500), { description: 'Which conversations the config is for.' }),
}
const position = (notes = '') =>
  Int(0, 2147483647, {
    description: `Order of evaluation: a conversation uses the matching config with the lowest position.${notes}`,
  })
const pausesOnPending = (notes: { default?: boolean } = {}) =>
  Flag({
    description: 'Whether the resolution clock pauses while the conversation is pending.',
    ...notes,
  })
const warnAtPercent = (notes: { default?: number } = {}) =>
  Nullable(Int(1, 100), {
    description: 'Percentage of a target after which a warning is emitted; null means no warning.',
    ...notes,
  })

export const slaConfigExample = {
  id: 'sla_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'sla_config',
  name: 'Business hours',
  description: null,
  position: 1,
  conditions: {
    department_ids: ['dept_01kah1vgm0e1tbm5ye8n2m9q7d'],
    category_ids: [],
    company_ids: [],
    priorities: [],
    channels: ['email', 'web'],
    tags_any: ['vip'],
  },
  targets: [
    {
      priority: 'urgent',
      first_response_seconds: 900,
      next_response_seconds: 1800,
      resolution_seconds: 14400,
    },
    {
      priority: null,
      first_response_seconds: 3600,
      next_response_seconds: null,
      resolution_seconds: 86400,
    },
  ],
  schedule: {
    timezone: 'Europe/Berlin',
    weekly: [
      { day: 'mon', from: '09:00', to: '17:30' },
      { day: 'tue', from: '09:00', to: '17:30' },
      { day: 'wed', from: '09:00', to: '17:30' },
      { day: 'thu', from: '09:00', to: '19:00' },
      { day: 'fri', from: '09:00', to: '17:30' },
    ] satisfies Span[],
    holidays: [{ date: '2026-12-25', name: 'Christmas', yearly: true }],
  },
  pauses_on_pending: true,
  warn_at_percent: 80,
  archived: false,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const slaConfigWire = defineWire<SlaConfig>({
  name: 'SlaConfig',
  schema: Shape({
    id: Id('sla'),
    object: Enum(['sla_config']),
    ...plain,
    position: position(),
    conditions: Shape(conditions, { title: 'SlaConditions', description: conditionNotes }),
    targets: List(Shape(target, { title: 'SlaTarget' }), maxTargets, targetNotes),
    schedule: Nullable(
      Shape(
        { ...schedule, holidays: List(Shape(holiday, { title: 'Holiday' }), maxHolidays, holidaysNotes) },
        { title: 'Schedule' },
      ),
      {
        description: scheduleNotes,
      },
    ),
    pauses_on_pending: pausesOnPending(),
    warn_at_percent: warnAtPercent(),
    archived: Archived(),
    ...revision,
  }),
  example: slaConfigExample,
  present: (row) => ({
    id: typeId('sla', row.id),
    object: 'sla_config',
    name: row.name,
    description: row.description,
    position: row.position,
    conditions: {
      department_ids: row.department_ids.map((id) => typeId('dept', id)),
      category_ids: row.category_ids.map((id) => typeId('cat', id)),
      company_ids: row.company_ids.map((id) => typeId('co', id)),
      priorities: row.priorities,
      channels: row.channels,
      tags_any: [...new Set(row.tags.map(({ name }) => name))],
    },
    targets: row.targets,
    schedule: row.schedule,
    pauses_on_pending: row.pauses_on_pending,
    warn_at_percent: row.warn_at_percent,
    archived: row.archived,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewSlaConfig = Shape({
  name: plain.name,
  description: Optional(plain.description),
  position: Optional(position(' Defaults to the position after the last config.')),
  conditions: Optional(newConditions()),
  targets: newTargets,
  schedule: Optional(Nullable(NewSchedule, { description: scheduleNotes })),
  pauses_on_pending: Optional(pausesOnPending({ default: true })),
  warn_at_percent: Optional(warnAtPercent({ default: 80 })),
  archived: Optional(Archived({ default: false })),
})
export type NewSlaConfig = Members<typeof NewSlaConfig>

export const SlaConfigPatch = PartialShape({
  ...plain,
  position: position(),
  conditions: newConditions(' Merged field by field.'),
  targets: newTargets,
  schedule: Nullable(PartialShape({ ...schedule, holidays: Nullable(newHolidays) }), {
    description: `${scheduleNotes} Merged field by field; the result must be complete.`,
  }),
  pauses_on_pending: pausesOnPending(),
  warn_at_percent: warnAtPercent(),
  archived: Archived(),
})
export type SlaConfigPatch = Members<typeof SlaConfigPatch>

/** The maximum number of configs in an order and in its response. */
export const maxOrdered = 1000

export const SlaConfigOrder = Shape({
  ids: DistinctIds('sla', maxOrdered, {
    minItems: 1,
    description: 'The configs that come first, in this order. All others follow in their current order.',
  }),
})
export type SlaConfigOrder = Members<typeof SlaConfigOrder>
