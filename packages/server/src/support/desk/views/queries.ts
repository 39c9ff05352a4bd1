import { nameKey } from '../../../platform/kernel/names.ts'
import type { Page, SortKey } from '../../../platform/kernel/page.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order, type Table } from '../../../platform/tables/table.ts'
import type { Viewer } from '../../../platform/unit-of-work/entity.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import { type Broken, brokenOf, type ViewSubject } from './filter.ts'

export type View = RowOf<
  'views',
  {
    applies_to: ViewSubject
    /** Not stored: evaluated with the present custom fields when the row is read. */
    broken: Broken | null
  },
  'name_key'
>

const stored = defineTable<View>({
  name: 'views',
  columns: tables.views,
  fixed: ['applies_to'],
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
})

/** Adds to rows what depends on the custom fields. */
async function withBroken(db: Db, tenantId: string, rows: View[]): Promise<View[]> {
  if (rows.length === 0) return rows
  const definitions = await definitionsOf(db, tenantId)
  return rows.map((row) => ({ ...row, broken: brokenOf(row, definitions) }))
}

export const viewTable: Table<View> = {
  ...stored,
  async find(db, tenantId, id) {
    const row = await stored.find(db, tenantId, id)
    return row && (await withBroken(db, tenantId, [row]))[0]!
  },
  findMany: async (db, tenantId, ids) => withBroken(db, tenantId, await stored.findMany(db, tenantId, ids)),
  list: async (db, tenantId, ...how) => withBroken(db, tenantId, await stored.list(db, tenantId, ...how)),
  async page(db, tenantId, ...how) {
    const page = await stored.page(db, tenantId, ...how)
    return Array.isArray(page)
      ? withBroken(db, tenantId, page)
      : { ...page, rows: await withBroken(db, tenantId, page.rows) }
  },
}

export const viewOrders = {
  position: {
    by: sql`position, id`,
    after: ([position, id]: SortKey) => sql`(position, id) > (${position}, ${id})`,
    key: (row: View): SortKey => [row.position, row.id],
  },
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<View>>

export const withSubject = (subject: ViewSubject): Sql => sql`applies_to = ${subject}`

/** The views that an operator may see: everyone's, theirs, and those of their departments. */
export const visibleTo = (tenantId: string, operatorId: string): Sql =>
  sql`((operator_ids = '{}' and department_ids = '{}') or ${operatorId}::uuid = any(operator_ids)
    or exists (select 1 from department_members member where member.tenant_id = ${tenantId}
      and member.operator_id = ${operatorId} and member.department_id = any(views.department_ids)))`

/** The views that a request for an operator finds: who maintains views also finds those that name departments alone. */
export function foundBy(viewer: Viewer | null): Sql {
  if (viewer === null) return sql`true`
  const visible = visibleTo(viewer.tenantId, viewer.id)
  return viewer.allows('views:write') ? sql`(operator_ids = '{}' or ${visible})` : visible
}

/** Those of some views that the operator of a request finds. */
export async function foundAmong(views: View[], viewer: Viewer | null): Promise<View[]> {
  const isForAll = ({ operator_ids, department_ids }: View) =>
    operator_ids.length === 0 && department_ids.length === 0
  if (viewer === null || views.every(isForAll)) return views
  const { db, tenantId } = viewer
  const ids = views.map(({ id }) => id)
  const rows = await db.rows<{ id: string }>(
    sql`select id from views where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and ${foundBy(viewer)}`,
  )
  const found = new Set(rows.map(({ id }) => id))
  return views.filter(({ id }) => found.has(id))
}

export const findViewByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from views where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

/** The next views that lists show, by their position. */
export const nextViews = (
  db: Db,
  tenantId: string,
  viewer: Viewer | null,
  page: Pick<Page, 'limit' | 'after'>,
): Promise<View[]> =>
  viewTable.list(db, tenantId, [sql`not archived`, foundBy(viewer)], viewOrders.position, page)
