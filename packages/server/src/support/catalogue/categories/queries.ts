import type { Instant } from '../../../platform/kernel/clock.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order } from '../../../platform/tables/table.ts'
import { pathIn, type Tree } from '../../../platform/trees/trees.ts'

export const categoryTree: Tree = { table: 'categories', maxLevels: 8 }

export type Category = {
  id: string
  name: string
  parent_id: string | null
  path: string[]
  position: number
  default_department_id: string | null
  default_priority: string | null
  description: string | null
  archived: boolean
  created_at: Instant
  updated_at: Instant
  version: number
}

export const categoryTable = defineTable<Category>({
  name: 'categories',
  columns: {
    id: 'uuid',
    name: 'text',
    parent_id: 'uuid',
    position: 'integer',
    default_department_id: 'uuid',
    default_priority: 'text',
    description: 'text',
    archived: 'boolean',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
  joined: { path: pathIn(categoryTree) },
})

export const categoryOrders = {
  position: {
    by: sql`position, name_key, id`,
    after: ([position, name, id]) => sql`(position, name_key, id) > (${position}, ${name}, ${id})`,
    key: (row) => [row.position, nameKey(row.name), row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<Category>>

export const childrenOf = (parentId: string | null): Sql =>
  parentId === null ? sql`parent_id is null` : sql`parent_id = ${parentId}`

/** The parent of roots in the unique index of siblings' names. */
const nobody = '00000000-0000-0000-0000-000000000000'

export const findCategoryByName = (
  db: Db,
  tenantId: string,
  parentId: string | null,
  name: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from categories where tenant_id = ${tenantId}
    and coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid) = ${parentId ?? nobody}
    and name_key = ${nameKey(name)}`)
