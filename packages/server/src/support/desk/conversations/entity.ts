import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Conversation, conversationTable } from './queries.ts'
import { conversationWire } from './schema.ts'

export const conversations: Entity<Conversation> = {
  type: 'conversation',
  table: conversationTable,
  wire: conversationWire,
  unshown: ['sla'],
  precedence: [
    'conversation.merged',
    'conversation.closed',
    'conversation.resolved',
    'conversation.reopened',
    'conversation.resumed',
    'conversation.held',
    'conversation.assigned',
    'conversation.tags_changed',
    'conversation.updated',
    'conversation.read',
  ],
}
