import { conversationTable } from '../../desk/conversations/queries.ts'
import { messageTable } from '../../desk/messages/queries.ts'
import { takesPart } from '../access.ts'
import {
  conversationFor,
  meConversationWire,
  type ReadConversation,
  readConversations,
} from '../shapes/conversation.ts'
import { meMessageWire, messageFor, type ReadMessage, readMessages, type Source } from '../shapes/message.ts'
import type { Fact } from './facts.ts'

/** The object of a fact, for persons who are known by their ids. */
export type Rendered = {
  /** True if the person may see it. */
  isFor(isMe: (id: string) => boolean): boolean
  json(isMe: (id: string) => boolean): string
}

/** The JSON for the person with these ids; null if the person may not see it. */
export function jsonFor(rendered: Rendered | null | undefined, ids: ReadonlySet<string>): string | null {
  const isMe = (id: string) => ids.has(id)
  return rendered?.isFor(isMe) ? rendered.json(isMe) : null
}

/**
 * Reads the objects of several facts together, as they are now. The right to see them is decided by what is read: a
 * person who took part until a moment ago sees nothing more. Null for an internal note, and for what is gone.
 */
export async function render(source: Source, facts: Fact[]): Promise<Map<Fact, Rendered | null>> {
  const { db, env } = source
  const messageIds = facts.flatMap(({ messageId }) => messageId ?? [])
  const changed = new Set(facts.flatMap((fact) => (fact.messageId ? [] : fact.conversationId)))
  const [rows, found] = await Promise.all([
    conversationTable.findMany(db, env.tenantId, [...new Set(facts.map((fact) => fact.conversationId))]),
    messageIds.length === 0 ? [] : messageTable.findMany(db, env.tenantId, [...new Set(messageIds)]),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const visible = found.filter(
    ({ visibility, conversation_id }) => visibility === 'public' && byId.has(conversation_id),
  )
  const [conversations, messages] = await Promise.all([
    readConversations(
      source,
      rows.filter(({ id }) => changed.has(id)),
    ),
    readMessages(source, visible, ({ conversation_id }) => byId.get(conversation_id)!.end_user.id),
  ])
  const shown = new Map<string, ReadConversation | ReadMessage>([
    ...conversations.map((each) => [each.conversation.id, each] as const),
    ...messages.map((each) => [each.message.id, each] as const),
  ])
  return new Map(
    facts.map((fact) => {
      const conversation = byId.get(fact.conversationId)
      const object = shown.get(fact.messageId ?? fact.conversationId)
      if (!conversation || !object) return [fact, null]
      return [
        fact,
        {
          isFor: (isMe) => takesPart(conversation, isMe),
          json: (isMe) =>
            'message' in object
              ? meMessageWire.json(messageFor(object, isMe))
              : meConversationWire.json(conversationFor(object, isMe)),
        },
      ]
    }),
  )
}
