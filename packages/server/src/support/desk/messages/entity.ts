import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findMessageByExternalId, type Message, messageTable } from './queries.ts'
import { findUnsent, scheduledMessageTable } from './scheduled/queries.ts'
import { messageWire } from './schema.ts'

const events = ['message.created', 'message.updated', 'message.delivery_changed', 'message.redacted'] as const

/** Those without texts of people: redaction erases the others. */
export const auditedOfMessages = [
  'conversation_id',
  'author_side',
  'operator_id',
  'author_end_user_id',
  'body_format',
  'visibility',
  'template_id',
  'in_reply_to_id',
  'external_id',
  'send_at',
] as const

export const messages: Entity<Message, (typeof events)[number]> = {
  type: 'message',
  prefix: declareIds('message', 'msg'),
  events,
  table: messageTable,
  wire: messageWire,
  audited: auditedOfMessages,
  unique: {
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findMessageByExternalId(db, tenantId, id),
  },
  former: (before, after) =>
    after.redacted_at ? { ...before, body: '', body_html: null, email: null } : before,
  within: { type: 'conversation', idOf: (row) => row.conversation_id },
  streamId: (row) => row.conversation_id,
  streamIdOf: async (db, tenantId, id) =>
    (await messageTable.find(db, tenantId, id))?.conversation_id ??
    (await scheduledMessageTable.find(db, tenantId, id))?.conversation_id ??
    (await findUnsent(db, tenantId, id))?.conversation_id ??
    id,
}
