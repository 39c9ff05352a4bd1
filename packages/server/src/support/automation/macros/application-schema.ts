import type { Instant } from '../../../platform/kernel/clock.ts'
import {
  Described,
  Id,
  List,
  type Members,
  Optional,
  Shape,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { ConversationSchema, conversationExample, conversationWire } from '../../desk/conversations/schema.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { MessageSchema, messageExample, messageWire } from '../../desk/messages/schema.ts'
import { macroExample, maxActions } from './schema.ts'

export const ApplyRequest = Shape({
  conversation_id: Id('conv', { description: 'The conversation to apply the macro to.' }),
  skip_messages: Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether the actions `reply` and `note` are left out, the `set_status` of a reply with it: for a person who edits the texts, which `preview` returns, and then sends them.',
    }),
  ),
})
export type ApplyRequest = Members<typeof ApplyRequest>

/** The result of a macro. */
export type Application = { conversation: Conversation; messages: Message[] }
export type Preview = Application & { changes: Record<string, { from: unknown; to: unknown }> }

const application = {
  conversation: Described('The conversation after the macro.', ConversationSchema),
  messages: List(MessageSchema, maxActions, { description: 'The messages the macro created, in order.' }),
}

const at = '2026-11-20T11:02:00.000Z'
const applicationExample = {
  conversation: {
    ...conversationExample,
    priority: 'low',
    status: 'resolved',
    waiting_on: null,
    waiting_since: null,
    tags: ['refund'],
    unread_count: { end_user: 1, operator: 0 },
    message_count: 1,
    last_message_at: at,
    last_message_side: 'operator',
    first_response_at: at,
    resolved_at: at,
    updated_at: at,
    version: 2,
  },
  messages: [
    {
      ...messageExample,
      author_side: 'operator',
      body: macroExample.actions[2]!.body!,
      body_html: macroExample.actions[2]!.body!,
      created_at: at,
      updated_at: at,
    },
  ],
}

const present = ({ conversation, messages }: Application, now?: Instant) => ({
  conversation: conversationWire.present(conversation, now),
  messages: messages.map((message) => messageWire.present(message, now)),
})

export const applicationWire = defineWire<Application>({
  name: 'MacroApplication',
  schema: Shape(application),
  example: applicationExample,
  present,
})

const either = (description: string) => Type.Unsafe<unknown>({ description })

export const previewWire = defineWire<Preview>({
  name: 'MacroPreview',
  schema: Shape({
    ...application,
    changes: Type.Unsafe<Preview['changes']>({
      type: 'object',
      additionalProperties: Shape({
        from: either('The current value.'),
        to: either('The value after the macro.'),
      }),
      description: 'The conversation fields that would change, by field name.',
    }),
  }),
  example: {
    ...applicationExample,
    changes: { priority: { from: 'normal', to: 'low' }, tags: { from: [], to: ['refund'] } },
  },
  present: (preview, now) => ({ ...present(preview, now), changes: preview.changes }),
})
