import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order } from '../../../platform/tables/table.ts'
import { pathIn, type Tree } from '../../../platform/trees/trees.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export const categoryTree: Tree = { table: 'categories', maxLevels: 8 }

export type Category = RowOf<
  'categories',
  {
    path: string[]
  },
  'name_key'
>

export const categoryTable = defineTable<Category>({
  name: 'categories',
  columns: tables.categories,
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
