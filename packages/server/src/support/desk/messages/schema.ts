import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
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
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { bodyFormats } from '../../vocabulary/conversations.ts'
import { settableStatuses, sides } from '../conversations/lifecycle.ts'
import type { Message, Revision } from './queries.ts'

const visibilities = ['public', 'internal'] as const

export const Body = () => Text(1, 65_536, { description: 'The text of the message.' })
const ExternalId = () =>
  Nullable(Text(1, 255), { description: "The message's id in your system, unique per environment." })

const AuthorSide = () =>
  Enum(sides, {
    description: 'The side that wrote the message; `system` for automatic messages.',
  })
const BodyFormat = (notes = {}) =>
  Enum(bodyFormats, {
    description: 'How clients should show `body`. The server does not convert it.',
    ...notes,
  })

export const MessageSchema = Shape({
  id: Id('msg'),
  object: Enum(['message']),
  conversation_id: Id('conv', { description: 'The conversation to which the message was written.' }),
  sequence: Int(1, 2147483647, {
    description: 'The position of the message in its conversation: from 1, without gaps, in commit order.',
  }),
  author_side: AuthorSide(),
  operator_id: Nullable(Id('op'), {
    description: 'The operator who wrote it; null for other sides, or if the request named none.',
  }),
  body: Text(0, 65_536, { description: 'The text of the message; empty once redacted.' }),
  body_format: BodyFormat(),
  visibility: Enum(visibilities, {
    description: 'Messages with `internal` are notes among operators: never show them to end users.',
  }),
  template_id: Nullable(Id('tmpl'), {
    description: 'The message template from which the text was rendered.',
  }),
  in_reply_to_id: Nullable(Id('msg'), { description: 'The message this one replies to.' }),
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
  sequence: 1,
  author_side: 'end_user',
  operator_id: null,
  body: 'My card was declined twice.',
  body_format: 'text',
  visibility: 'public',
  template_id: null,
  in_reply_to_id: null,
  external_id: null,
  metadata: {},
  edited_at: null,
  redacted_at: null,
  created_at: '2026-11-20T09:31:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
  version: 1,
}

export const messageWire = defineWire<Message>({
  name: 'Message',
  schema: MessageSchema,
  example: messageExample,
  present: (row) => ({
    id: typeId('msg', row.id),
    object: 'message',
    conversation_id: typeId('conv', row.conversation_id),
    sequence: row.sequence,
    author_side: row.author_side,
    operator_id: row.operator_id && typeId('op', row.operator_id),
    body: row.body,
    body_format: row.body_format,
    visibility: row.visibility,
    template_id: row.template_id && typeId('tmpl', row.template_id),
    in_reply_to_id: row.in_reply_to_id && typeId('msg', row.in_reply_to_id),
    external_id: row.external_id,
    metadata: row.metadata,
    edited_at: row.edited_at,
    redacted_at: row.redacted_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewMessage = Shape({
  author_side: AuthorSide(),
  operator_id: Optional(
    Nullable(Id('op'), {
      description:
        'The operator who wrote the message, for messages of operators. Defaults to the operator in `Backline-Operator`.',
    }),
  ),
  body: Optional(
    Text(1, 65_536, { description: 'The text of the message; required unless `template_id` is set.' }),
  ),
  template_id: Optional(
    Nullable(Id('tmpl'), {
      description:
        'The message template from which the text is rendered, in place of `body` and `body_format`.',
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
  in_reply_to_id: Optional(
    Nullable(Id('msg'), { description: 'The message this one replies to, in the same conversation.' }),
  ),
  external_id: Optional(ExternalId()),
  metadata: Optional(Metadata()),
})
export type NewMessage = Members<typeof NewMessage>

export const MessagePatch = PartialShape({ body: Body(), metadata: MetadataPatch() })
export type MessagePatch = Members<typeof MessagePatch>

export const MessageFilters = Shape({
  visibility: Optional(
    Enum(visibilities, {
      description: 'Return only public messages, or only internal notes. End users may see only `public`.',
    }),
  ),
  author_side: Optional(Enum(sides, { description: 'Return only messages written by this side.' })),
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
