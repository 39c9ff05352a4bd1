import { typeIdSuffixPattern } from '../../../platform/kernel/ids.ts'
import { FilterParameter } from '../../../platform/lists/parameters.ts'
import {
  Advised,
  CommaSeparated,
  Enum,
  Id,
  IdOrMe,
  Int,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Nullable,
  Optional,
  PartialShape,
  Shape,
  Text,
  Timestamp,
  TrimmedText,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { namesOnePerson } from '../../people/end-users/one-name.ts'
import { CustomFieldsPatch, NewCustomFields } from '../../properties/custom-fields/values/schema.ts'
import { bodyFormats, channels, maxTags, priorities } from '../../vocabulary/conversations.ts'
import { hasContent, NewAttachments } from '../messages/attachments/schema.ts'
import { people, sides, statuses, waitingOns } from './lifecycle.ts'
import {
  Channel,
  CompanyId,
  ExternalId,
  FollowUpOf,
  Initiator,
  LanguageTag,
  MailboxId,
  Priority,
  Subject,
} from './schema.ts'

const TagNames = (description = 'Tag names, case-insensitive; unknown tags are created.') =>
  List(Text(1, 50), maxTags, { description })

/** The first message, created in the same transaction. The side of its author is `initiated_by_side`. */
const FirstMessage = WithCheck(
  Shape(
    {
      body: Optional(
        Text(0, 65_536, { description: 'The text of the message; required unless files are attached.' }),
      ),
      attachments: Optional(NewAttachments()),
      body_format: Optional(Enum(bodyFormats, { default: 'text', description: 'The format of `body`.' })),
      metadata: Optional(Metadata()),
    },
    {
      description:
        'The first message, public and written by the side in `initiated_by_side`. Also requires the scope `messages:write`.',
    },
  ),
  ...hasContent,
)

export const NewConversation = WithCheck(
  Shape({
    external_user_id: Optional(
      TrimmedText(255, {
        description:
          "The end user's id in your system. An end user with this id is created if there is none. Required unless `end_user_id` is set.",
      }),
    ),
    end_user_id: Optional(Id('eu', { description: 'The end user, in place of `external_user_id`.' })),
    company_id: Optional(CompanyId()),
    subject: Optional(Subject()),
    initiated_by_side: Optional(Initiator({ default: 'end_user' })),
    channel: Optional(Channel({ default: 'api' })),
    priority: Optional(
      Enum(priorities, {
        default: 'normal',
        description: 'The priority. If omitted, the default priority of the category is used, if it has one.',
      }),
    ),
    language: Optional(LanguageTag()),
    department_id: Optional(
      Nullable(Id('dept'), {
        description:
          'The department that handles the conversation. If omitted, the default department of the category is used.',
      }),
    ),
    category_id: Optional(
      Nullable(Id('cat'), {
        description: 'The category. Its default department and priority are used if the request sets none.',
      }),
    ),
    mailbox_id: Optional(MailboxId()),
    assignee_id: Optional(
      Nullable(Id('op'), {
        description:
          'The operator to assign, whatever their capacity; the conversation is then open at once.',
      }),
    ),
    tags: Optional(TagNames()),
    external_id: Optional(ExternalId()),
    custom_fields: Optional(NewCustomFields()),
    metadata: Optional(Metadata()),
    follow_up_of_id: Optional(FollowUpOf()),
    message: Optional(FirstMessage),
  }),
  ...namesOnePerson,
)
export type NewConversation = Members<typeof NewConversation>

export const ConversationPatch = Advised(
  PartialShape({
    company_id: CompanyId(),
    subject: Subject(),
    priority: Priority(),
    department_id: Nullable(Id('dept'), {
      description:
        'The department that handles the conversation. An unassigned conversation is routed by the rules of the new one.',
    }),
    category_id: Nullable(Id('cat'), {
      description: 'The category. Its default department and priority apply only to new conversations.',
    }),
    mailbox_id: MailboxId(),
    language: LanguageTag(),
    external_id: ExternalId(),
    custom_fields: CustomFieldsPatch(),
    metadata: MetadataPatch(),
  }),
  {
    status: 'use POST /resolve, /close, /reopen, /hold or /resume below this path',
    assignee_id: 'use POST /assign or /claim below this path',
    tags: 'use PUT or POST /tags below this path',
    participant_ids: 'use PUT or DELETE /participants/{end_user_id} below this path',
  },
)
export type ConversationPatch = Members<typeof ConversationPatch>

export const Resolution = Shape({
  note: Optional(
    Nullable(Text(1, 65_536), { description: 'Added to the conversation as an internal note.' }),
  ),
})

export const Assignment = WithCheck(
  Shape({
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
  }),
  ({ assignee_id, department_id }) =>
    assignee_id === undefined && department_id === undefined
      ? [{ pointer: '/assignee_id', code: 'required', detail: 'is required unless department_id is set' }]
      : [],
  ['assignee_id', 'department_id'],
)
export type Assignment = Members<typeof Assignment>

export const NewHold = Shape({
  hold_reason_id: Id('hold', { description: 'The hold reason, which must not be archived.' }),
  note: Optional(
    Nullable(Text(1, 2000), { description: 'A note for the hold; some hold reasons require one.' }),
  ),
  until: Optional(
    Nullable(Timestamp(), {
      description:
        'The end of the hold, in the future and within the maximum duration of the hold reason. By default, the hold lasts for the default duration, or else for the maximum, or else without end.',
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
  side: Enum(people, { description: 'The side that has read.' }),
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
      description: `Return only conversations with one of these statuses, comma-separated: ${statuses.map((status) => `\`${status}\``).join(', ')}.`,
      examples: ['new,open'],
    }),
  ),
  end_user_id: Optional(Id('eu', { description: 'Return only conversations of this end user.' })),
  external_user_id: Optional(
    Text(1, 255, {
      description: 'Return only conversations of the end user with this external id, or alias.',
    }),
  ),
  priority: Optional(Enum(priorities, { description: 'Return only conversations with this priority.' })),
  channel: Optional(Enum(channels, { description: 'Return only conversations from this channel.' })),
  initiated_by_side: Optional(
    Enum(sides, { description: 'Return only conversations that this side started.' }),
  ),
  waiting_on: Optional(
    Enum(waitingOns, { description: 'Return only conversations that wait for this side.' }),
  ),
  assignee_id: Optional(
    Type.String({
      maxLength: 29,
      pattern: `^(none|me|op_${typeIdSuffixPattern})$`,
      description:
        'Return only conversations assigned to this operator; `me` is the operator in `Backline-Operator`, and `none` returns unassigned ones.',
      examples: ['none'],
    }),
  ),
  unread: Optional(
    Enum(['me'], {
      description:
        'With `me`, return only conversations in which the operator in `Backline-Operator` has something to read.',
    }),
  ),
  follower_id: Optional(
    IdOrMe('op', {
      description:
        'Return only conversations that this operator follows; `me` is the operator in `Backline-Operator`.',
      examples: ['me'],
    }),
  ),
  department_id: Optional(Id('dept', { description: 'Return only conversations in this department.' })),
  category_id: Optional(
    Id('cat', { description: 'Return only conversations in this category, without its subcategories.' }),
  ),
  mailbox_id: Optional(Id('mbx', { description: 'Return only conversations of this mailbox.' })),
  tag: Optional(
    Text(1, 50, {
      description:
        'Return only conversations with the tag of this name, regardless of case. The former name of a merged tag works, too.',
    }),
  ),
  external_id: Optional(
    Text(1, 255, { description: 'Return only the conversation with this `external_id`, an exact match.' }),
  ),
  created_after: Optional(
    Timestamp({ description: 'Return only conversations created after this time, exclusive.' }),
  ),
  created_before: Optional(
    Timestamp({ description: 'Return only conversations created before this time, exclusive.' }),
  ),
  updated_after: Optional(
    Timestamp({ description: 'Return only conversations updated after this time, exclusive.' }),
  ),
  filter: Optional(
    FilterParameter('conversations', {
      all: [
        { field: 'status', op: 'in', value: ['new', 'open'] },
        { field: 'tags', op: 'contains', value: 'vip' },
      ],
    }),
  ),
  q: Optional(
    Text(1, 500, {
      description:
        'Return only conversations whose subject or one of whose messages has all of these words. The last word may be incomplete. The order is that of `sort`.',
    }),
  ),
})
export type ConversationFilters = Members<typeof ConversationFilters>
