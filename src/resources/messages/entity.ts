import type { Entity } from '../../db/change.ts'
import { findMessage, insertMessage, type Message, unchangedMessage, updateMessage } from './queries.ts'
import { messageWire } from './schema.ts'

export const messages: Entity<Message> = {
  type: 'message',
  find: findMessage,
  insert: insertMessage,
  update: updateMessage,
  unchanged: unchangedMessage,
  wire: messageWire,
  streamId: (row) => row.conversation_id,
}
