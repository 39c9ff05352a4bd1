import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { byCreation, defineTable, type Order } from '../../db/table.ts'
import type { Instant } from '../../lib/clock.ts'
import { nameKey } from '../../lib/names.ts'

export type Tag = {
  id: string
  name: string
  color: string | null
  description: string | null
  archived: boolean
  created_at: Instant
  updated_at: Instant
  version: number
}

export const tagTable = defineTable<Tag>({
  name: 'tags',
  columns: {
    id: 'uuid',
    name: 'text',
    color: 'text',
    description: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
})

export const tagOrders = {
  name: {
    by: sql`name_key, id`,
    after: ([name, id]) => sql`(name_key, id) > (${name}, ${id})`,
    key: (row) => [nameKey(row.name), row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<Tag>>

export const findTagByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from tags where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)
