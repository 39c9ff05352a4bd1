import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import {
  byCreation,
  byName,
  defineTable,
  type Order,
  type TableDefinition,
} from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

/** The body in another language. */
export type Variant = { locale: string; body: string }

export type MessageTemplate = RowOf<
  'message_templates',
  {
    body_format: 'text' | 'markdown'
    variants: Variant[]
    usage_count: number
  },
  'name_key'
>

const definition: TableDefinition<MessageTemplate> = {
  name: 'message_templates',
  columns: tables.message_templates,
  large: ['body', 'variants'],
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
}

export const messageTemplateTable = defineTable<MessageTemplate>({
  ...definition,
  // Counted on read: a counter would make all messages of a template wait for its row.
  joined: {
    usage_count: (tenantId) => sql`(select count(*) from messages where messages.tenant_id = ${tenantId}
      and messages.template_id = message_templates.id)`,
  },
})

/** For changes that use a template and do not show it: the cost of counting its uses grows with them. */
export const messageTemplateTableUncounted = defineTable<MessageTemplate>({
  ...definition,
  joined: { usage_count: sql`0` },
})

export const messageTemplateOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<MessageTemplate>>

export const findTemplateByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(
    sql`select id from message_templates where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`,
  )
