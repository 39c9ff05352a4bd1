import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import {
  findTemplateByName,
  type MessageTemplate,
  messageTemplateTable,
  messageTemplateTableUncounted,
} from './queries.ts'
import { messageTemplateWire } from './schema.ts'

const events = ['message_template.created', 'message_template.updated', 'message_template.deleted'] as const

export const messageTemplates: Entity<MessageTemplate, (typeof events)[number]> = {
  type: 'message_template',
  prefix: declareIds('message_template', 'tmpl'),
  events,
  table: messageTemplateTable,
  wire: messageTemplateWire,
  unique: { name: ({ name }, db, tenantId) => findTemplateByName(db, tenantId, name) },
}

/** Templates that a change uses and neither shows nor updates. */
export const templatesInUse = { ...messageTemplates, table: messageTemplateTableUncounted }
