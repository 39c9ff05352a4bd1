import type { Entity } from '../../db/change.ts'
import { type Conversation, conversationTable } from './queries.ts'
import { conversationWire } from './schema.ts'

export const conversations: Entity<Conversation> = {
  type: 'conversation',
  table: conversationTable,
  wire: conversationWire,
}
