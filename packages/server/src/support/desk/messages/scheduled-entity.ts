import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { auditedOfMessages } from './entity.ts'
import { findMessageByExternalId } from './queries.ts'
import { type ScheduledMessage, scheduledMessageTable } from './scheduled/queries.ts'
import { messageWire } from './schema.ts'

const events = [
  'message.scheduled',
  'message.updated',
  'message.redacted',
  'message.schedule_cancelled',
  'message.schedule_dropped',
] as const

/** Clients see one resource `message`, scheduled or sent. */
export const scheduledMessages: Entity<ScheduledMessage, (typeof events)[number]> = {
  type: 'scheduled_message',
  resource: 'message',
  prefix: 'msg',
  events,
  table: scheduledMessageTable,
  wire: messageWire,
  audited: auditedOfMessages,
  unique: {
    external_id: ({ external_id: id }, db, tenantId) =>
      id === null ? null : findMessageByExternalId(db, tenantId, id),
  },
  streamId: (row) => row.conversation_id,
}
