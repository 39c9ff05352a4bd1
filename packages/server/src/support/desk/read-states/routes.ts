import { write } from '../../../platform/resource/resource.ts'
import { markReadByOperator, markUnreadByOperator } from './actions.ts'
import { ReadUpTo, readStateWire, UnreadFrom } from './schema.ts'

const note =
  'It is no change of the conversation: there is neither an event nor an entry in the audit log, and its `unread_count` stays. Streams of the operator with `ephemeral=true` receive a `read_state`.'

const common = {
  method: 'POST',
  scope: 'conversations:write',
  needsPerson: true,
  documentedUnder: 'conversations',
  params: { id: 'conv' },
  bodyOptional: true,
  reply: readStateWire,
  versionOf: null,
} as const

export const routes = [
  write({
    ...common,
    path: '/conversations/{id}/mark_read',
    name: 'markReadForMe',
    summary: 'Mark messages as read for oneself',
    description: `Marks messages as read by the operator in \`Backline-Operator\`, or who has signed in to the console, up to a message. A mark does not move backward. An own message moves it, too, and what was sent before the operator was created is read. ${note}`,
    body: ReadUpTo,
    bodyExample: { up_to_sequence: 3 },
    handle: (change, { params, body }) => markReadByOperator(change, params.id, body),
  }),
  write({
    ...common,
    path: '/conversations/{id}/mark_unread',
    name: 'markUnreadForMe',
    summary: 'Mark messages as unread for oneself',
    description: `Moves the mark of the operator in \`Backline-Operator\`, or who has signed in to the console, back to before a message. Has no effect if it is there or earlier, if no message from there on is by an end user or a colleague, and 30 days after the conversation was closed. ${note}`,
    body: UnreadFrom,
    bodyExample: { from_sequence: 3 },
    replyExample: { ...(readStateWire.example as object), up_to_sequence: 2, unread_count: 1 },
    handle: (change, { params, body }) => markUnreadByOperator(change, params.id, body),
  }),
]
