import { typeId } from '../../../platform/kernel/ids.ts'
import { Enum, Id, Int, type Members, Optional, Shape } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { maxUnread, type ReadState } from './queries.ts'

export const readStateWire = defineWire<ReadState>({
  name: 'ReadState',
  schema: Shape({
    object: Enum(['read_state']),
    conversation_id: Id('conv', { description: 'The conversation.' }),
    operator_id: Id('op', { description: 'The operator who has read it so far; nobody else sees this.' }),
    up_to_sequence: Int(0, 2147483647, {
      description:
        'The `sequence` of the last message that counts as read; 0 for none. It is the last message 30 days after the conversation was closed.',
    }),
    unread_count: Int(0, maxUnread, {
      description: `The number of later messages by end users and by colleagues, notes included; ${maxUnread} stands for so many or more.`,
    }),
  }),
  example: {
    object: 'read_state',
    conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
    operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
    up_to_sequence: 3,
    unread_count: 0,
  },
  present: ({ conversation_id, operator_id, ...row }) => ({
    object: 'read_state',
    conversation_id: typeId('conv', conversation_id),
    operator_id: typeId('op', operator_id),
    ...row,
  }),
})

export const ReadUpTo = Shape({
  up_to_sequence: Optional(
    Int(0, 2147483647, {
      description: 'The `sequence` of the last message that was read. Defaults to the latest message.',
    }),
  ),
})
export type ReadUpTo = Members<typeof ReadUpTo>

export const UnreadFrom = Shape({
  from_sequence: Optional(
    Int(1, 2147483647, {
      description:
        'The `sequence` of the first message that is to be read again. Defaults to the newest message by an end user or a colleague.',
    }),
  ),
})
export type UnreadFrom = Members<typeof UnreadFrom>
