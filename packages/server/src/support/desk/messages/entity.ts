import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Message, messageTable } from './queries.ts'
import { messageWire } from './schema.ts'

export const messages: Entity<Message> = {
  type: 'message',
  table: messageTable,
  wire: messageWire,
  former: (before, after) => (after.redacted_at ? { ...before, body: '' } : before),
  streamId: (row) => row.conversation_id,
  streamIdOf: async (db, tenantId, id) => (await messageTable.find(db, tenantId, id))?.conversation_id ?? id,
}
