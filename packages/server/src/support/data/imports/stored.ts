import type { Db } from '../../../platform/postgres/database.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { type Conversation, conversationTable } from '../../desk/conversations/queries.ts'
import type { Checked, Slice } from './conversation-lines.ts'
import type { ConversationLine, MessageLine } from './conversation-schema.ts'
import { conversationsOfMessages, type Known } from './queries.ts'
import type { Work } from './work.ts'

/** The lines of a slice, checked by themselves. */
export type CheckedSlice = Slice & {
  conversations: Checked<ConversationLine>[]
  messages: Checked<MessageLine>[]
}

/** The stored objects that the lines of a part stand for. */
export type Stored = {
  conversations: Map<string, Known>
  rows: Map<string, Conversation>
  messages: Map<string, Known>
  /** The messages that exist among these, with their conversations. */
  known: Map<string, { id: string; conversation_id: string }>
}

export async function storedOf(
  { db, tenantId }: Change,
  { resolver }: Work,
  slices: CheckedSlice[],
): Promise<Stored> {
  const messages = slices.flatMap((slice) => slice.messages.filter(({ faults }) => faults.length === 0))
  const replied = messages.flatMap(({ line }) => line.in_reply_to_external_id ?? [])
  const [conversations, found] = await Promise.all([
    resolver.find(
      db,
      tenantId,
      'conversation',
      slices.map(({ unit }) => unit.externalId),
    ),
    resolver.find(db, tenantId, 'message', [...messages.map(({ line }) => line.external_id), ...replied]),
  ])
  const ids = [...conversations.values()].flatMap(({ id }) => id ?? [])
  const rows = ids.length === 0 ? [] : await conversationTable.findMany(db, tenantId, ids)
  const known = await withConversations(
    db,
    tenantId,
    [...found.values()].flatMap(({ id }) => id ?? []),
  )
  return { conversations, rows: new Map(rows.map((row) => [row.id, row])), messages: found, known }
}

async function withConversations(db: Db, tenantId: string, ids: string[]): Promise<Stored['known']> {
  const rows = ids.length === 0 ? [] : await conversationsOfMessages(db, tenantId, ids)
  return new Map(rows.map((row) => [row.id, row]))
}
