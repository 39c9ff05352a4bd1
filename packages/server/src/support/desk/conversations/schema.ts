import type { Instant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Described,
  Enum,
  Flag,
  Id,
  Int,
  Language,
  List,
  Metadata,
  Name,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { companyWire } from '../../people/companies/schema.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { CustomFields } from '../../properties/custom-fields/values/schema.ts'
import { shownValues } from '../../properties/custom-fields/values/shown.ts'
import { strategies } from '../../team/departments/queries.ts'
import { operatorWire } from '../../team/operators/schema.ts'
import { channels, maxTags, priorities } from '../../vocabulary/conversations.ts'
import { lastMessageWire } from '../messages/last/schema.ts'
import { readStateWire } from '../read-states/schema.ts'
import { maxFollowers } from './followers/queries.ts'
import { type Action, allActions, type Status, sides, statuses, waitingOns } from './lifecycle.ts'
import {
  type Conversation,
  type HoldPeriod,
  type Participant,
  participantSources,
  participantsOf,
} from './queries.ts'
import { SlaSchema, shownSla } from './sla-schema.ts'

export const Initiator = (notes = {}) =>
  Enum(sides, {
    description:
      'The side that started the conversation; `system` for your own software. First-response clocks run only if it was the end user.',
    ...notes,
  })
export const Channel = (notes = {}) =>
  Enum(channels, { description: 'The channel through which the conversation was started.', ...notes })
export const Priority = (notes = {}) =>
  Enum(priorities, { description: 'The priority, by which SLA configs choose their targets.', ...notes })
export const Subject = () => Nullable(Name(255), { description: 'The subject line of the conversation.' })
export const ExternalId = () =>
  Nullable(Text(1, 255), { description: "The conversation's id in your system, unique per environment." })
export const LanguageTag = () =>
  Nullable(Language({ examples: ['pt-BR'] }), {
    description: 'The language of the conversation as a BCP 47 tag.',
  })

/** The maximum number of participants. */
export const maxParticipants = 50

export const CompanyId = () =>
  Nullable(Id('co'), {
    description: 'The company on whose behalf the end user writes, one of theirs; null for none.',
  })

export const MailboxId = () =>
  Nullable(Id('mbx'), {
    description:
      'The mailbox of the conversation: each public message of an operator or of the system is then sent as a mail; null for none.',
  })

export const FollowUpOf = () =>
  Nullable(Id('conv'), {
    description: 'An earlier conversation of the same end user, which this one follows up.',
  })
const participant = {
  end_user_id: Id('eu', { description: 'The end user.' }),
  address: Nullable(Text(1, 254), {
    description: 'The e-mail address by which they came to take part; null for one that a request added.',
  }),
  source: Enum(participantSources, {
    description: '`api` if a request added them, `sender` or `recipient` if a mail did.',
  }),
  confirmed: Flag({
    description:
      'False for one whom a mail names that nobody vouches for: they get no mail and do not see the conversation, until `PUT …/participants/{end_user_id}` confirms them.',
  }),
  since: Timestamp({
    description: 'The time since which they take part; that of the conversation if it is not known.',
  }),
}
const hold = {
  hold_reason_id: Id('hold', { description: 'The hold reason.' }),
  note: Nullable(Text(1, 2000), { description: 'The note of whoever started the hold.' }),
  since: Timestamp({ description: 'The start of the hold.' }),
  until: Nullable(Timestamp(), { description: 'The time at which the hold expires; null if it does not.' }),
}

export const ConversationSchema = Shape({
  id: Id('conv'),
  object: Enum(['conversation']),
  end_user_id: Nullable(Id('eu'), {
    description:
      'The end user, after merges; null only for a short time after an upgrade, in conversations from before end users.',
  }),
  external_user_id: Nullable(Text(1, 255), {
    description: "The end user's id in your system; null if the end user has none.",
  }),
  company_id: CompanyId(),
  participant_ids: List(Id('eu'), maxParticipants, {
    description: 'Other end users who take part in the conversation.',
  }),
  participants: List(Shape(participant, { title: 'Participant' }), maxParticipants, {
    description: 'How each of them came to take part.',
  }),
  subject: Subject(),
  initiated_by_side: Initiator(),
  channel: Channel(),
  priority: Priority(),
  status: Enum(statuses, {
    description:
      'The status: `new` until it is assigned or answered, `open` while an operator is to act, `pending` while the end user is, `on_hold`, `resolved`, and finally `closed`. It changes only through actions and messages.',
  }),
  waiting_on: Nullable(Enum(waitingOns), {
    description: 'The side that is expected to act next; null once resolved or closed.',
  }),
  waiting_since: Nullable(Timestamp(), {
    description: 'The time since which the conversation waits for that side; null if it waits for nobody.',
  }),
  hold: Nullable(Shape(hold), { description: 'The current hold; null unless the status is `on_hold`.' }),
  department_id: Nullable(Id('dept'), {
    description: 'The department that handles the conversation; null if it is in none.',
  }),
  category_id: Nullable(Id('cat'), {
    description: 'The category of the conversation; null if it has none.',
  }),
  mailbox_id: MailboxId(),
  assignee_id: Nullable(Id('op'), {
    description: 'The operator to whom the conversation is assigned; null while it is unassigned.',
  }),
  assignment: Nullable(
    Shape({
      strategy: Enum(strategies, { description: 'The strategy; `manual` for an assignment by hand.' }),
      reason: Text(1, 255, { description: 'The reason in words, for people.' }),
      at: Timestamp({ description: 'The time of the assignment.' }),
    }),
    { description: 'How the current assignee was chosen; null while there is none.' },
  ),
  tags: List(Text(1, 50), maxTags, { description: 'The names of the tags.' }),
  language: LanguageTag(),
  external_id: ExternalId(),
  custom_fields: CustomFields(),
  metadata: Metadata(),
  follow_up_of_id: FollowUpOf(),
  merged_into_id: Nullable(Id('conv'), {
    description: 'The conversation this one was merged into; null if it was not merged.',
  }),
  unread_count: Shape(
    {
      end_user: Int(0, 2147483647, { description: 'Unread by the end user.' }),
      operator: Int(0, 2147483647, { description: 'Unread by the operators.' }),
    },
    { description: 'The number of public messages from the other side that each side has not read.' },
  ),
  message_count: Int(0, 2147483647, {
    description: 'The number of messages, internal notes included; also the `sequence` of the last one.',
  }),
  last_message_at: Nullable(Timestamp(), {
    description: 'The time of the last public message; null if there is none.',
  }),
  last_message_side: Nullable(Enum(sides), { description: 'The side that wrote it.' }),
  first_response_at: Nullable(Timestamp(), {
    description:
      'The time of the first public answer from an operator; null before it, and if the operator side started the conversation.',
  }),
  resolved_at: Nullable(Timestamp(), {
    description: 'The time at which the conversation was resolved; null after it is reopened.',
  }),
  closed_at: Nullable(Timestamp(), {
    description: 'The time at which the conversation was closed; null before.',
  }),
  reopened_count: Int(0, 2147483647, {
    description: 'How often the conversation was reopened, by an action or a message.',
  }),
  sla: Nullable(SlaSchema, {
    description: 'The SLA clocks of the conversation; null if no SLA config applies.',
  }),
  end_user: Optional(
    Nullable(endUserWire.schema, { description: 'The end user. Present with `include=end_user`.' }),
  ),
  assignee: Optional(
    Nullable(operatorWire.schema, { description: 'The assignee. Present with `include=assignee`.' }),
  ),
  follower_ids: Optional(
    List(Id('op'), maxFollowers, {
      description: 'The operators who follow it, the longest first. Present with `include=followers`.',
    }),
  ),
  company: Optional(
    Nullable(companyWire.schema, { description: 'The company. Present with `include=company`.' }),
  ),
  last_message: Optional(
    Nullable(lastMessageWire.schema, {
      description:
        'The newest public message, of which `last_message_at` and `last_message_side` tell; null if there is none. Present with `include=last_message`.',
    }),
  ),
  read_state: Optional(
    Described(
      'How far the operator in `Backline-Operator` has read. Present with `include=read_state`.',
      readStateWire.schema,
    ),
  ),
  ...revision,
})

export const conversationExample = {
  id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'conversation',
  end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  external_user_id: 'user_42',
  company_id: null,
  participant_ids: [],
  participants: [],
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
  mailbox_id: null,
  assignee_id: null,
  assignment: null,
  tags: [],
  language: null,
  external_id: null,
  custom_fields: {},
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

const presentParticipants = (participants: Participant[], begunAt: Instant) => ({
  participant_ids: participants.map(({ id }) => typeId('eu', id)),
  participants: participants.map(({ id, address, source, confirmed, since }) => ({
    end_user_id: typeId('eu', id),
    address,
    source,
    confirmed,
    since: since ?? begunAt,
  })),
})

export const conversationWire = defineWire<Conversation>({
  name: 'Conversation',
  schema: ConversationSchema,
  example: conversationExample,
  present: (row, now) => ({
    id: typeId('conv', row.id),
    object: 'conversation',
    end_user_id: row.end_user.id && typeId('eu', row.end_user.id),
    external_user_id: row.end_user.external_id,
    company_id: row.company_id && typeId('co', row.company_id),
    ...presentParticipants(participantsOf(row), row.created_at),
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
    mailbox_id: row.mailbox_id && typeId('mbx', row.mailbox_id),
    assignee_id: row.assignee_id && typeId('op', row.assignee_id),
    assignment: row.assigned_at && {
      strategy: row.assignment_strategy,
      reason: row.assignment_reason,
      at: row.assigned_at,
    },
    tags: [...new Set(row.tags.map(({ name }) => name))],
    language: row.language,
    external_id: row.external_id,
    custom_fields: shownValues(row.custom_fields),
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
    ...row.included,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
  isTimeless: ({ sla }) => sla === null,
})

export type Transition = { action: Action; to: Status; required_fields: string[] }

/** A possible action, for clients that show buttons. */
export const transitionWire = defineWire<Transition>({
  name: 'Transition',
  schema: Shape({
    action: Enum(allActions as [Action, ...Action[]], {
      description: 'The action, the last part of its path `/v1/conversations/{id}/…`.',
    }),
    to: Enum(statuses, { description: 'The status after the action.' }),
    required_fields: List(Text(1, 50), 10, {
      description: 'The fields that the body of the request must have.',
    }),
  }),
  example: { action: 'resolve', to: 'resolved', required_fields: [] },
  present: (row) => row,
})

/** A period on hold; it keeps its reason afterwards. */
export const holdWire = defineWire<HoldPeriod>({
  name: 'Hold',
  schema: Shape({
    ...hold,
    ended_at: Nullable(Timestamp(), { description: 'The end of the hold; null while it lasts.' }),
    ended_by: Nullable(Enum(['action', 'reply', 'macro', 'expiry']), {
      description: 'What ended the hold: a request, a message, a macro, or its expiry; null while it lasts.',
    }),
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
