import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { findByContent, type InboundEmail, inboundEmailTable } from './queries.ts'
import { inboundEmailWire } from './schema.ts'

const events = ['inbound_email.processed'] as const

export const inboundEmails: Entity<InboundEmail, (typeof events)[number]> = {
  type: 'inbound_email',
  prefix: declareIds('inbound_email', 'eml'),
  events,
  table: inboundEmailTable,
  wire: inboundEmailWire,
  audited: ['mailbox_id', 'source', 'status', 'reason', 'conversation_id', 'message_id', 'end_user_id'],
  unshown: ['attempts', 'raw_file_id', 'content_hash', 'kept', 'rcpt_to'],
  unique: {
    content_hash: ({ content_hash }, db, tenantId) => findByContent(db, tenantId, content_hash),
  },
}
