import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type CustomField, customFieldTable, findCustomFieldByKey } from './queries.ts'
import { customFieldWire } from './schema.ts'

const events = ['custom_field.created', 'custom_field.updated', 'custom_field.deleted'] as const

export const customFields: Entity<CustomField, (typeof events)[number]> = {
  type: 'custom_field',
  prefix: declareIds('custom_field', 'cf'),
  events,
  table: customFieldTable,
  wire: customFieldWire,
  unique: { key: (row, db, tenantId) => findCustomFieldByKey(db, tenantId, row) },
}
