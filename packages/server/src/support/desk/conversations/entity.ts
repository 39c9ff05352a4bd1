import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Conversation, conversationTable, findConversationByExternalId } from './queries.ts'
import { conversationWire } from './schema.ts'

const events = [
  'conversation.created',
  'conversation.imported',
  'conversation.updated',
  'conversation.assigned',
  'conversation.held',
  'conversation.resumed',
  'conversation.resolved',
  'conversation.reopened',
  'conversation.closed',
  'conversation.merged',
  'conversation.tags_changed',
  'conversation.read',
  'conversation.sla_warning',
  'conversation.sla_breached',
  'conversation.deleted',
] as const

export type ConversationEvent = (typeof events)[number]

export const conversations: Entity<Conversation, ConversationEvent> = {
  type: 'conversation',
  prefix: declareIds('conversation', 'conv'),
  events,
  table: conversationTable,
  wire: conversationWire,
  unique: {
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findConversationByExternalId(db, tenantId, id),
  },
  audited: [
    'end_user_id',
    'company_id',
    'participant_ids',
    'initiated_by_side',
    'channel',
    'priority',
    'status',
    'department_id',
    'category_id',
    'mailbox_id',
    'assignee_id',
    'tags',
    'language',
    'external_id',
    'follow_up_of_id',
  ],
  shownIn: { 'conversation.deleted': ['id', 'external_id', 'end_user_id'] },
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
