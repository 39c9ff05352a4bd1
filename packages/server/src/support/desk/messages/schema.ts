import { typeId } from '../../../platform/kernel/ids.ts'
import { publicUrl } from '../../../platform/kernel/public-url.ts'
import {
  Enum,
  Id,
  Int,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  TemplateVariables,
  Text,
  Timestamp,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { bodyFormats } from '../../vocabulary/conversations.ts'
import { settableStatuses, sides } from '../conversations/lifecycle.ts'
import type { Attached } from './attachments/attach.ts'
import { Attachments, NewAttachments, presentAttachments } from './attachments/schema.ts'
import { contradictionsIn, dependentMembers } from './contradictions.ts'
import { NewEmail } from './email/new-email.ts'
import type { MessageEmail } from './email/queries.ts'
import { Delivery, Email, presentEmail } from './email/schema.ts'
import { htmlOf } from './html.ts'
import type { Message, Revision } from './queries.ts'
import type { ScheduledMessage } from './scheduled/queries.ts'

const visibilities = ['public', 'internal'] as const
const messageStatuses = ['scheduled', 'sent'] as const

/** The maximum number of operators whom a note mentions. */
export const maxMentions = 20

export const Body = () => Text(1, 65_536, { description: 'The text of the message.' })
const ExternalId = () =>
  Nullable(Text(1, 255), { description: "The message's id in your system, unique per environment." })

const AuthorSide = (note = '') =>
  Enum(sides, {
    description: `The side that wrote the message; \`system\` for automatic messages.${note}`,
  })
const BodyFormat = (notes = {}) =>
  Enum(bodyFormats, {
    description: 'The format of `body`.',
    ...notes,
  })

const Mentions = (description: string) => List(Id('op'), maxMentions, { description })

export const MessageSchema = Shape({
  id: Id('msg'),
  object: Enum(['message']),
  conversation_id: Id('conv', { description: 'The conversation to which the message was written.' }),
  status: Enum(messageStatuses, {
    description: 'Whether the message was sent, or is `scheduled` to be sent at `send_at`.',
  }),
  sequence: Nullable(Int(1, 2147483647), {
    description:
      'The position of the message in its conversation: from 1, without gaps, in commit order. Null only while it is scheduled.',
  }),
  send_at: Nullable(Timestamp(), {
    description: 'The time at which the message is sent; null unless it is scheduled.',
  }),
  author_side: AuthorSide(),
  operator_id: Nullable(Id('op'), {
    description: 'The operator who wrote it; null for other sides, or if the request named none.',
  }),
  author_end_user_id: Nullable(Id('eu'), {
    description:
      'The end user who wrote it: that of the conversation, or a participant; null for other sides, and in messages from before end users.',
  }),
  body: Text(0, 65_536, { description: 'The text of the message; empty once redacted.' }),
  body_format: BodyFormat(),
  body_html: Nullable(Text(0, 2147483647), {
    description:
      'The text as sanitized HTML, whatever its format; null once redacted. Images of the end user side that are not attached to the message are replaced by their descriptions. Markdown that takes too long to render is escaped like a text.',
  }),
  visibility: Enum(visibilities, {
    description: 'Messages with `internal` are notes among operators: never show them to end users.',
  }),
  template_id: Nullable(Id('tmpl'), {
    description: 'The message template from which the text was rendered or written.',
  }),
  in_reply_to_id: Nullable(Id('msg'), { description: 'The message this one replies to.' }),
  mentions: List(Id('op'), maxMentions, {
    description: 'The operators whom the note mentions, and who are notified. Only internal notes have any.',
  }),
  attachments: Attachments(),
  email: Email(),
  delivery: Delivery(),
  external_id: ExternalId(),
  metadata: Metadata(),
  edited_at: Nullable(Timestamp(), {
    description: 'The time of the last change of `body`; null if it is as it was written.',
  }),
  redacted_at: Nullable(Timestamp(), {
    description: 'The time at which the text was erased; null if it was not.',
  }),
  ...revision,
})

export const messageExample = {
  id: 'msg_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'message',
  conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  status: 'sent',
  sequence: 1,
  send_at: null,
  author_side: 'end_user',
  operator_id: null,
  author_end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  body: 'My card was declined twice.',
  body_format: 'text',
  body_html: 'My card was declined twice.',
  visibility: 'public',
  template_id: null,
  in_reply_to_id: null,
  mentions: [],
  attachments: [],
  email: null,
  delivery: null,
  external_id: null,
  metadata: {},
  edited_at: null,
  redacted_at: null,
  created_at: '2026-11-20T09:31:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
  version: 1,
}

export const isScheduled = (row: Message | ScheduledMessage): row is ScheduledMessage => 'send_at' in row

/** Members that only messages in one of the two statuses have. */
const membersByStatus = (row: Message | ScheduledMessage) =>
  isScheduled(row)
    ? {
        status: 'scheduled',
        sequence: null,
        send_at: row.send_at,
        author_end_user_id: null,
        edited_at: null,
        redacted_at: row.redacted_at ?? null,
        email: null,
        delivery: null,
      }
    : {
        status: 'sent',
        sequence: row.sequence,
        send_at: null,
        author_end_user_id: row.author_end_user_id && typeId('eu', row.author_end_user_id),
        edited_at: row.edited_at,
        redacted_at: row.redacted_at,
        email: presentEmail(row.email),
        delivery: row.delivery,
      }

const contentUrl = (fileId: string): string => publicUrl(`/v1/files/${fileId}/content`)

export const messageWire = defineWire<Message | ScheduledMessage>({
  name: 'Message',
  schema: MessageSchema,
  example: messageExample,
  present: (row) => ({
    id: typeId('msg', row.id),
    object: 'message',
    conversation_id: typeId('conv', row.conversation_id),
    ...membersByStatus(row),
    author_side: row.author_side,
    operator_id: row.operator_id && typeId('op', row.operator_id),
    body: row.body,
    body_format: row.body_format,
    body_html: htmlOf(row, contentUrl),
    visibility: row.visibility,
    template_id: row.template_id && typeId('tmpl', row.template_id),
    in_reply_to_id: row.in_reply_to_id && typeId('msg', row.in_reply_to_id),
    mentions: (row.mentions ?? []).map((id) => typeId('op', id)),
    attachments: presentAttachments(row, '/v1/files'),
    external_id: row.external_id,
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewMessage = WithCheck(
  Shape({
    author_side: AuthorSide(
      ' In the console, only the role `admin` may write for other sides than `operator`.',
    ),
    operator_id: Optional(
      Nullable(Id('op'), {
        description:
          'The operator who wrote the message, for messages of operators. Defaults to the operator in `Backline-Operator`. In the console, it must be the operator who has signed in.',
      }),
    ),
    author_end_user_id: Optional(
      Nullable(Id('eu'), {
        description:
          'The end user or participant who wrote the message, for messages of the end user side. Defaults to the end user of the conversation.',
      }),
    ),
    body: Optional(
      Text(0, 65_536, {
        description:
          'The text of the message; required unless `template_id` is set. Can be empty only if files are attached.',
      }),
    ),
    attachments: Optional(NewAttachments()),
    template_id: Optional(
      Nullable(Id('tmpl'), {
        description:
          'The message template of the message. Without `body`, the text is rendered from it. With `body`, the text is that one, which somebody has written from the template, and the template counts the message.',
      }),
    ),
    variables: Optional(TemplateVariables()),
    body_format: Optional(BodyFormat({ default: 'text' })),
    visibility: Optional(
      Enum(visibilities, {
        default: 'public',
        description:
          'Messages with `internal` are notes among operators, which operators and the system can write.',
      }),
    ),
    set_status: Optional(
      Enum(settableStatuses, {
        description:
          'The status of the conversation after the message. Allowed only for public messages of operators.',
      }),
    ),
    send_at: Optional(
      Nullable(Timestamp(), {
        description:
          'The time at which the message is sent: in the future, at most 365 days ahead. Not for messages of the end user. Null sends it at once.',
      }),
    ),
    on_closed: Optional(
      Enum(['reject', 'follow_up'], {
        default: 'reject',
        description:
          'What happens if the conversation is closed: `reject` answers 409, `follow_up` starts a new conversation with this message, whose `follow_up_of_id` is the closed one. Not for internal notes. `follow_up` also requires the scope `conversations:write`.',
      }),
    ),
    in_reply_to_id: Optional(
      Nullable(Id('msg'), { description: 'The message this one replies to, in the same conversation.' }),
    ),
    mentions: Optional(
      Mentions(
        'The operators whom an internal note of an operator mentions; each is notified once, in the order given. The text of the note has no part in it.',
      ),
    ),
    email: Optional(NewEmail()),
    external_id: Optional(ExternalId()),
    metadata: Optional(Metadata()),
  }),
  contradictionsIn,
  [...dependentMembers],
)
export type NewMessage = Members<typeof NewMessage>
/** A message with the mail that it came with, whose files belong to no other message. */
export type WrittenMessage = NewMessage & { mail?: MessageEmail; attached?: Attached[] }

export const MessagePatch = PartialShape({
  body: Text(0, 65_536, {
    description: 'The text of the message. Can be empty only if files are attached.',
  }),
  mentions: Mentions(
    'The operators whom the note mentions, as a whole. Those that it did not mention before are notified; the others keep what they have.',
  ),
  metadata: MetadataPatch(),
})
export type MessagePatch = Members<typeof MessagePatch>

export const MessageFilters = Shape({
  visibility: Optional(
    Enum(visibilities, {
      description: 'Return only public messages, or only internal notes. End users may see only `public`.',
    }),
  ),
  author_side: Optional(Enum(sides, { description: 'Return only messages written by this side.' })),
  scheduled: Optional(
    Enum(['true', 'false'], {
      default: 'false',
      description:
        'With `true`, return the scheduled messages instead of those that were sent, in the order of `send_at`.',
    }),
  ),
  include: Optional(
    Enum(['total', 'merged', 'total,merged', 'merged,total'], {
      description:
        '`total` adds the total count, up to 10,000. `merged` adds the messages of conversations that were merged into this one; all messages are then sorted by time.',
    }),
  ),
})

export const revisionWire = defineWire<Revision>({
  name: 'MessageRevision',
  schema: Shape({
    version: Int(1, 2147483647, { description: 'The version of the message that had this body.' }),
    body: Text(1, 65_536, { description: 'The former text.' }),
    written_at: Timestamp({ description: 'The time at which this text was written.' }),
    replaced_at: Timestamp({ description: 'The time at which it was replaced by the next.' }),
  }),
  example: {
    version: 1,
    body: 'My crad was declined twice.',
    written_at: '2026-11-20T09:31:00.000Z',
    replaced_at: '2026-11-20T09:32:10.000Z',
  },
  present: (row) => row,
})
