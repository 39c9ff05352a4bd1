import type { Entity } from '../../db/change.ts'
import {
  type Conversation,
  findConversation,
  insertConversation,
  unchangedConversation,
  updateConversation,
} from './queries.ts'
import { conversationWire } from './schema.ts'

export const conversations: Entity<Conversation> = {
  type: 'conversation',
  find: findConversation,
  insert: insertConversation,
  update: updateConversation,
  unchanged: unchangedConversation,
  wire: conversationWire,
}
