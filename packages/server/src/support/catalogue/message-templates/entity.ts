import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type MessageTemplate, messageTemplateTable, messageTemplateTableUncounted } from './queries.ts'
import { messageTemplateWire } from './schema.ts'

export const messageTemplates: Entity<MessageTemplate> = {
  type: 'message_template',
  table: messageTemplateTable,
  wire: messageTemplateWire,
}

/** Templates that a change uses and neither shows nor updates. */
export const templatesInUse = { ...messageTemplates, table: messageTemplateTableUncounted }
