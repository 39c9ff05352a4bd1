import { nameKey } from '../../../../platform/kernel/names.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order } from '../../../../platform/tables/table.ts'
import type { Tree } from '../../../../platform/trees/trees.ts'
import { type RowOf, tables } from '../../../vocabulary/tables.generated.ts'

export const collectionTree: Tree = { table: 'kb_collections', maxLevels: 8 }

export type Collection = RowOf<
  'kb_collections',
  {
    article_count: number
  },
  'name_key' | 'slug_key'
>

export const collectionTable = defineTable<Collection>({
  name: 'kb_collections',
  columns: tables.kb_collections,
  derived: {
    name_key: { type: 'text', value: (row) => nameKey(row.name) },
    slug_key: { type: 'text', value: (row) => nameKey(row.slug) },
  },
  joined: {
    article_count: (tenantId) => sql`(select count(*) from kb_articles shown
      where shown.tenant_id = ${tenantId} and shown.published_collection_id = kb_collections.id)`,
  },
})

export const collectionOrders = {
  position: {
    by: sql`position, name_key, id`,
    after: ([position, name, id]) => sql`(position, name_key, id) > (${position}, ${name}, ${id})`,
    key: (row) => [row.position, nameKey(row.name), row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<Collection>>

export const childrenOf = (parentId: string | null): Sql =>
  parentId === null ? sql`parent_id is null` : sql`parent_id = ${parentId}`

export const withSlug = (slug: string): Sql => sql`slug_key = ${nameKey(slug)}`

/** The parent of roots in the unique indexes of siblings. */
const nobody = '00000000-0000-0000-0000-000000000000'

const beside = (parentId: string | null): Sql =>
  sql`coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid) = ${parentId ?? nobody}`

export const findSiblingWithSlug = (
  db: Db,
  tenantId: string,
  parentId: string | null,
  slug: string,
): Promise<{ id: string } | null> =>
  db.maybe(
    sql`select id from kb_collections where tenant_id = ${tenantId} and ${beside(parentId)} and ${withSlug(slug)}`,
  )

/** The sibling of a collection with its name or slug; null if there is none. */
export const findNamesake = (
  db: Db,
  tenantId: string,
  { id, parent_id, name, slug }: Collection,
): Promise<{ id: string; name_key: string } | null> =>
  db.maybe(sql`select id, name_key from kb_collections where tenant_id = ${tenantId}
    and ${beside(parent_id)}
    and (name_key = ${nameKey(name)} or slug_key = ${nameKey(slug)}) and id <> ${id}
    order by name_key = ${nameKey(name)} desc limit 1`)
