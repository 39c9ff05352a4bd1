import type { Instant } from '../../../../platform/kernel/clock.ts'
import { typeId, typeIdSuffixPattern } from '../../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  Nullable,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { type Side, sides } from '../../conversations/lifecycle.ts'
import { maxTextLength } from './preview.ts'

/** The newest public message of a conversation, as a line of a list shows it. */
export type LastMessage = {
  message_id: string
  sequence: number
  author_side: Side
  operator_id: string | null
  author_end_user_id: string | null
  author_name: string | null
  text: string
  attachment_count: number
  created_at: Instant
}

export const lastMessageWire = defineWire<LastMessage>({
  name: 'LastMessage',
  schema: Shape({
    message_id: Id('msg', { description: 'The message.' }),
    sequence: Int(1, 2147483647, { description: 'Its position in the conversation.' }),
    author_side: Enum(sides, { description: 'The side that wrote it.' }),
    author_id: Nullable(
      Type.String({
        maxLength: 29,
        pattern: `^(op|eu)_${typeIdSuffixPattern}$`,
      }),
      { description: 'The operator or end user who wrote it; null for none.' },
    ),
    author_name: Nullable(Text(0, 255), { description: 'The name that the author has now; null for none.' }),
    text: Text(0, maxTextLength, {
      description: `The beginning of its text on one line, without Markdown, images and HTML. A text of more than ${maxTextLength} characters ends in \`…\`. Empty once redacted.`,
    }),
    attachment_count: Int(0, 2147483647, { description: 'The number of its files.' }),
    created_at: Timestamp({ description: 'The time at which it was sent.' }),
  }),
  example: {
    message_id: 'msg_01kah1x2pje4x8ywz5v3k0t6ab',
    sequence: 1,
    author_side: 'end_user',
    author_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
    author_name: 'Anna Berg',
    text: 'My card was declined twice.',
    attachment_count: 0,
    created_at: '2026-11-20T09:31:00.000Z',
  },
  present: ({ message_id, operator_id, author_end_user_id, ...row }) => ({
    message_id: typeId('msg', message_id),
    author_id: operator_id
      ? typeId('op', operator_id)
      : author_end_user_id && typeId('eu', author_end_user_id),
    ...row,
  }),
})
