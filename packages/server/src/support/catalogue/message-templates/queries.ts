import type { Instant } from '../../../platform/kernel/clock.ts'
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

/** The body in another language. */
export type Variant = { locale: string; body: string }

export type MessageTemplate = {
  id: string
  name: string
  folder: string | null
  body: string
  body_format: 'text' | 'markdown'
  locale: string | null
  variants: Variant[]
  variables: string[]
  archived: boolean
  usage_count: number
  created_at: Instant
  updated_at: Instant
  version: number
}

const definition: TableDefinition<MessageTemplate> = {
  name: 'message_templates',
  columns: {
    id: 'uuid',
    name: 'text',
    folder: 'text',
    body: 'text',
    body_format: 'text',
    locale: 'text',
    variants: 'json',
    variables: 'text[]',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
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
