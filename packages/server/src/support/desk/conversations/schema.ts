import { typeId, typeIdSuffixPattern } from '../../../platform/kernel/ids.ts'
import {
  CommaSeparated,
  Enum,
  Id,
  Int,
  Language,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { strategies } from '../../team/departments/queries.ts'
import { bodyFormats, channels, maxTags, priorities } from '../../vocabulary/conversations.ts'
import { type Action, allActions, people, type Status, sides, statuses, waitingOns } from './lifecycle.ts'
import type { Conversation, HoldPeriod } from './queries.ts'
import { SlaSchema, shownSla } from './sla-schema.ts'

const TagNames = (description = 'Tag names, case-insensitive; unknown tags are created.') =>
  List(Text(1, 50), maxTags, { description })

const ExternalUserId = (notes = {}) =>
  Text(1, 255, { description: "The end user's id in your system.", ...notes })
const Subject = () => Nullable(Text(1, 255), { description: 'The subject line of the conversation.' })
const ExternalId = () =>
  Nullable(Text(1, 255), { description: "The conversation's id in your system, unique per environment." })
const LanguageTag = () =>
  Nullable(Language({ examples: ['pt-BR'] }), {
    description: 'The language of the conversation as a BCP 47 tag.',
  })

export const ConversationSchema = Shape({
  id: Id('conv'),
  object: Enum(['conversation']),
  external_user_id: ExternalUserId(),
  subject: Subject(),
  initiated_by_side: Enum(sides),
  channel: Enum(channels),
  priority: Enum(priorities),
  status: Enum(statuses),
  waiting_on: Nullable(Enum(waitingOns), { description: 'The side that is expected to act next.' }),
  waiting_since: Nullable(Timestamp()),
  hold: Nullable(
    Shape({
      hold_reason_id: Id('hold'),
      note: Nullable(Text(1, 2000)),
      since: Timestamp(),
      until: Nullable(Timestamp()),
    }),
  ),
  department_id: Nullable(Id('dept')),
  category_id: Nullable(Id('cat')),
  assignee_id: Nullable(Id('op')),
  assignment: Nullable(Shape({ strategy: Enum(strategies), reason: Text(1, 255), at: Timestamp() }), {
    description: 'The strategy and reason by which the current assignee was chosen.',
  }),
  tags: List(Text(1, 50), maxTags),
  language: LanguageTag(),
  external_id: ExternalId(),
  metadata: Metadata(),
  follow_up_of_id: Nullable(Id('conv'), { description: 'An earlier conversation of the same end user.' }),
  merged_into_id: Nullable(Id('conv')),
  unread_count: Shape(
    { end_user: Int(0, 2147483647), operator: Int(0, 2147483647) },
    { description: 'The number of public messages from the other side that each side has not read.' },
  ),
  message_count: Int(0, 2147483647),
  last_message_at: Nullable(Timestamp()),
  last_message_side: Nullable(Enum(sides)),
  first_response_at: Nullable(Timestamp(), {
    description: 'The time of the first public answer from an operator.',
  }),
  resolved_at: Nullable(Timestamp()),
  closed_at: Nullable(Timestamp()),
  reopened_count: Int(0, 2147483647),
  sla: Nullable(SlaSchema, {
    description: 'The SLA clocks of the conversation; null if no SLA config applies.',
  }),
  ...revision,
})

export const conversationExample = {
  id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'conversation',
  external_user_id: 'user_42',
  subject: 'Card declined',
  initiated_by_side: 'end_user',
  channel: 'api',
  priority: 'normal',
  status: 'new',
  waiting_on: 'operator',
  waiting_since: '2026-11-20T09:30:00.000Z',
  hold: null,
  department_id: null,
  category_id: null,
  assignee_id: null,
  assignment: null,
  tags: [],
  language: null,
  external_id: null,
  metadata: { plan: 'pro' },
  follow_up_of_id: null,
  merged_into_id: null,
  unread_count: { end_user: 0, operator: 0 },
  message_count: 0,
  last_message_at: null,
  last_message_side: null,
  first_response_at: null,
  resolved_at: null,
  closed_at: null,
  reopened_count: 0,
  sla: null,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 1,
}

export const conversationWire = defineWire<Conversation>({
  name: 'Conversation',
  schema: ConversationSchema,
  example: conversationExample,
  present: (row, now) => ({
    id: typeId('conv', row.id),
    object: 'conversation',
    external_user_id: row.external_user_id,
    subject: row.subject,
    initiated_by_side: row.initiated_by_side,
    channel: row.channel,
    priority: row.priority,
    status: row.status,
    waiting_on: row.waiting_on,
    waiting_since: row.waiting_since,
    hold: row.hold_reason_id && {
      hold_reason_id: typeId('hold', row.hold_reason_id),
      note: row.hold_note,
      since: row.hold_since,
      until: row.hold_until,
    },
    department_id: row.department_id && typeId('dept', row.department_id),
    category_id: row.category_id && typeId('cat', row.category_id),
    assignee_id: row.assignee_id && typeId('op', row.assignee_id),
    assignment: row.assigned_at && {
      strategy: row.assignment_strategy,
      reason: row.assignment_reason,
      at: row.assigned_at,
    },
    tags: [...new Set(row.tags.map(({ name }) => name))],
    language: row.language,
    external_id: row.external_id,
    metadata: row.metadata,
    follow_up_of_id: row.follow_up_of_id && typeId('conv', row.follow_up_of_id),
    merged_into_id: row.merged_into_id && typeId('conv', row.merged_into_id),
    unread_count: { end_user: row.unread_by_end_user, operator: row.unread_by_operator },
    message_count: row.message_count,
    last_message_at: row.last_message_at,
    last_message_side: row.last_message_side,
    first_response_at: row.first_response_at,
    resolved_at: row.resolved_at,
    closed_at: row.closed_at,
    reopened_count: row.reopened_count,
    sla: shownSla(row, now),
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  isTimeless: ({ sla }) => sla === null,
})

/** The first message, created in the same transaction. The side of its author is `initiated_by_side`. */
const FirstMessage = Shape({
  body: Text(1, 65_536),
  body_format: Optional(Enum(bodyFormats, { default: 'text' })),
  metadata: Optional(Metadata()),
})

export const NewConversation = Shape({
  external_user_id: ExternalUserId(),
  subject: Optional(Subject()),
  initiated_by_side: Optional(Enum(sides, { default: 'end_user' })),
  channel: Optional(Enum(channels, { default: 'api' })),
  priority: Optional(Enum(priorities, { default: 'normal' })),
  language: Optional(LanguageTag()),
  department_id: Optional(Nullable(Id('dept'))),
  category_id: Optional(
    Nullable(Id('cat'), {
      description: 'The category. Its default department and priority are used if the request sets none.',
    }),
  ),
  assignee_id: Optional(Nullable(Id('op'))),
  tags: Optional(TagNames()),
  external_id: Optional(ExternalId()),
  metadata: Optional(Metadata()),
  follow_up_of_id: Optional(Nullable(Id('conv'))),
  message: Optional(FirstMessage),
})
export type NewConversation = Members<typeof NewConversation>

export const ConversationPatch = PartialShape({
  subject: Subject(),
  priority: Enum(priorities),
  department_id: Nullable(Id('dept')),
  category_id: Nullable(Id('cat')),
  language: LanguageTag(),
  external_id: ExternalId(),
  metadata: MetadataPatch(),
})
export type ConversationPatch = Members<typeof ConversationPatch>

export const Resolution = Shape({
  note: Optional(Nullable(Text(1, 65_536), { description: 'Stored as an internal note.' })),
})

export const Assignment = Shape({
  assignee_id: Optional(
    Nullable(Id('op'), {
      description: 'The operator to assign; null unassigns the conversation from its operator.',
    }),
  ),
  department_id: Optional(
    Nullable(Id('dept'), {
      description:
        "The department to assign; null unassigns it. Without an assignee, the conversation is routed to a member by the department's rules.",
    }),
  ),
})
export type Assignment = Members<typeof Assignment>

export const NewHold = Shape({
  hold_reason_id: Id('hold'),
  note: Optional(Nullable(Text(1, 2000))),
  until: Optional(
    Nullable(Timestamp(), {
      description: 'The end of the hold, in the future. Defaults to the default duration of the hold reason.',
    }),
  ),
})
export type NewHold = Members<typeof NewHold>

export const Merge = Shape({
  into_id: Id('conv', { description: 'A conversation of the same end user that is not closed.' }),
})
export type Merge = Members<typeof Merge>

export const TagReplacement = Shape({ tags: TagNames() })
export const TagChange = Shape({
  add: Optional(TagNames()),
  remove: Optional(TagNames('Tag names, case-insensitive.')),
})
export type TagChange = Members<typeof TagChange>

export const ReadMark = Shape({
  side: Enum(people),
  up_to_sequence: Optional(
    Int(0, 2147483647, {
      description: 'The `sequence` of the last message read. Defaults to the latest message.',
    }),
  ),
})
export type ReadMark = Members<typeof ReadMark>

export const ConversationFilters = Shape({
  status: Optional(
    CommaSeparated(statuses, {
      description: 'Return only conversations with one of these statuses, comma-separated.',
      examples: ['new,open'],
    }),
  ),
  external_user_id: Optional(ExternalUserId()),
  priority: Optional(Enum(priorities)),
  channel: Optional(Enum(channels)),
  waiting_on: Optional(Enum(waitingOns)),
  assignee_id: Optional(
    Type.String({
      maxLength: 29,
      pattern: `^(none|op_${typeIdSuffixPattern})$`,
      description: 'Return only conversations assigned to this operator; `none` returns unassigned ones.',
      examples: ['none'],
    }),
  ),
  department_id: Optional(Id('dept')),
  category_id: Optional(Id('cat')),
  tag: Optional(Text(1, 50, { description: 'Return only conversations with this tag, by name.' })),
  external_id: Optional(Text(1, 255)),
  created_after: Optional(Timestamp({ description: 'Return only conversations created after this time.' })),
  created_before: Optional(Timestamp({ description: 'Return only conversations created before this time.' })),
  updated_after: Optional(Timestamp({ description: 'Return only conversations updated after this time.' })),
  q: Optional(
    Text(1, 500, {
      description: 'Words to search for in subjects and messages. The last word may be incomplete.',
    }),
  ),
})
export type ConversationFilters = Members<typeof ConversationFilters>

export type Transition = { action: Action; to: Status; required_fields: string[] }

/** A possible action, for clients that show buttons. */
export const transitionWire = defineWire<Transition>({
  name: 'Transition',
  schema: Shape({
    action: Enum(allActions as [Action, ...Action[]]),
    to: Enum(statuses),
    required_fields: List(Text(1, 50), 10),
  }),
  example: { action: 'resolve', to: 'resolved', required_fields: [] },
  present: (row) => row,
})

/** A period on hold; it keeps its reason afterwards. */
export const holdWire = defineWire<HoldPeriod>({
  name: 'Hold',
  schema: Shape({
    hold_reason_id: Id('hold'),
    note: Nullable(Text(1, 2000)),
    since: Timestamp(),
    until: Nullable(Timestamp()),
    ended_at: Nullable(Timestamp()),
    ended_by: Nullable(Enum(['action', 'reply', 'macro', 'expiry'])),
  }),
  example: {
    hold_reason_id: 'hold_01kah1vgm0e1tbm5ye8n2m9q7c',
    note: 'Waiting for the bank',
    since: '2026-11-20T09:45:00.000Z',
    until: '2026-11-21T09:45:00.000Z',
    ended_at: null,
    ended_by: null,
  },
  present: ({ id: _, ...row }) => ({ ...row, hold_reason_id: typeId('hold', row.hold_reason_id) }),
})
