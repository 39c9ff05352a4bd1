import type { Entity } from '../../db/change.ts'
import { type Conversation, findConversation, insertConversation, updateConversation } from './queries.ts'
import { conversationWire } from './schema.ts'

export const conversations: Entity<Conversation> = {
  type: 'conversation',
  find: findConversation,
  insert: insertConversation,
  update: updateConversation,
  wire: conversationWire,
}
