import type { Instant } from '../../../platform/kernel/clock.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { Enum, Id, Int, Nullable, Shape, Text, Timestamp } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Status } from '../../desk/conversations/lifecycle.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { Channel, Subject } from '../../desk/conversations/schema.ts'
import type { Message } from '../../desk/messages/queries.ts'
import {
  type MeMessage,
  MeMessageSchema,
  meMessageExample,
  meMessageWire,
  messageFor,
  operatorNames,
  type ReadMessage,
  readMessages,
  type Source,
} from './message.ts'
import { lastPublicMessages } from './queries.ts'

const meStatuses = ['open', 'waiting_for_you', 'resolved', 'closed'] as const
export type MeStatus = (typeof meStatuses)[number]

export const MeConversationSchema = Shape({
  id: Id('conv'),
  object: Enum(['conversation']),
  subject: Subject(),
  status: Enum(meStatuses, {
    description:
      'The status: `open`; `waiting_for_you`, after an answer; `resolved`, which a message opens again; `closed` for good.',
  }),
  channel: Channel(),
  assignee: Nullable(Shape({ name: Text(1, 255, { description: 'The name of the operator.' }) }), {
    description: 'The operator who is in charge; null while there is none.',
  }),
  unread_count: Int(0, 2147483647, {
    description:
      'The number of messages from operators that the end user of the conversation has not read. 0 for participants.',
  }),
  last_message: Nullable(MeMessageSchema, { description: 'The last message; null if there is none.' }),
  last_message_at: Nullable(Timestamp(), {
    description: 'The time of the last message; null if there is none.',
  }),
  created_at: Timestamp({ description: 'The time of creation.' }),
  updated_at: Timestamp({
    description:
      'The latest of: the creation, the last message and its last change, the time since which the conversation waits for somebody, and those of resolving and closing it.',
  }),
})

export const meConversationExample = {
  id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'conversation',
  subject: 'Card declined',
  status: 'open',
  channel: 'chat',
  assignee: null,
  unread_count: 0,
  last_message: meMessageExample,
  last_message_at: '2026-11-20T09:31:00.000Z',
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:31:00.000Z',
}

/** A conversation in the view of one person. */
export type MeConversation = {
  id: string
  subject: string | null
  status: MeStatus
  channel: string
  assignee: { name: string } | null
  unread_count: number
  last_message: MeMessage | null
  created_at: Instant
  updated_at: Instant
}

export const meConversationWire = defineWire<MeConversation>({
  name: 'MeConversation',
  schema: MeConversationSchema,
  example: meConversationExample,
  present: (row) => ({
    id: typeId('conv', row.id),
    object: 'conversation',
    subject: row.subject,
    status: row.status,
    channel: row.channel,
    assignee: row.assignee,
    unread_count: row.unread_count,
    last_message: row.last_message && meMessageWire.present(row.last_message),
    last_message_at: row.last_message?.created_at ?? null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
})

/** The status that end users see. */
export const meStatusOf = (status: Status): MeStatus => {
  if (status === 'resolved' || status === 'closed') return status
  return status === 'pending' ? 'waiting_for_you' : 'open'
}

/** A conversation with what its shape needs, before it is known who sees it. */
export type ReadConversation = {
  conversation: Conversation
  last: ReadMessage | null
  assignee: string | null
}

/**
 * Adds the last public messages and the names to conversations, with one read of each for all.
 * @param written last messages that are not stored yet
 */
export async function readConversations(
  source: Source,
  conversations: Conversation[],
  written: Message[] = [],
): Promise<ReadConversation[]> {
  const { db, env } = source
  const byId = new Map(conversations.map((each) => [each.id, each]))
  const isWritten = new Set(written.map(({ conversation_id }) => conversation_id))
  const toRead = [...byId.keys()].filter((id) => !isWritten.has(id))
  const stored = toRead.length === 0 ? [] : await lastPublicMessages(db, env.tenantId, toRead)
  const [messages, names] = await Promise.all([
    readMessages(
      source,
      [...stored, ...written],
      ({ conversation_id }) => byId.get(conversation_id)!.end_user.id,
    ),
    operatorNames(
      source,
      conversations.map(({ assignee_id }) => assignee_id),
    ),
  ])
  const lastOf = new Map(messages.map((each) => [each.message.conversation_id, each]))
  return conversations.map((conversation) => ({
    conversation,
    last: lastOf.get(conversation.id) ?? null,
    assignee: names.get(conversation.assignee_id ?? '') ?? null,
  }))
}

/** @param isMe true for the ids of the person who sees it */
export function conversationFor(
  { conversation, last, assignee }: ReadConversation,
  isMe: (id: string) => boolean,
): MeConversation {
  const { id, subject, channel, end_user, unread_by_end_user, created_at } = conversation
  return {
    id,
    subject,
    status: meStatusOf(conversation.status),
    channel,
    assignee: assignee === null ? null : { name: assignee },
    unread_count: end_user.id !== null && isMe(end_user.id) ? unread_by_end_user : 0,
    last_message: last && messageFor(last, isMe),
    created_at,
    updated_at: updatedAt(conversation, last?.message ?? null),
  }
}

/** Internal notes move none of these times. */
function updatedAt(
  { created_at, waiting_since, resolved_at, closed_at }: Conversation,
  last: Message | null,
): Instant {
  const ofMessage = last && [last.created_at, last.edited_at, last.redacted_at]
  const times = [created_at, waiting_since, resolved_at, closed_at, ...(ofMessage ?? [])]
  return times.reduce<Instant>((latest, time) => (time !== null && time > latest ? time : latest), created_at)
}
