import type { Entity } from '../../db/change.ts'
import { type MessageTemplate, messageTemplateTable } from './queries.ts'
import { messageTemplateWire } from './schema.ts'

export const messageTemplates: Entity<MessageTemplate> = {
  type: 'message_template',
  table: messageTemplateTable,
  wire: messageTemplateWire,
}
