import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export const retentionActions = ['redact', 'delete_files', 'delete'] as const
export const retentionStatuses = ['paused', 'enabled'] as const

export type RetentionPolicy = RowOf<
  'retention_policies',
  {
    filter: unknown
    action: (typeof retentionActions)[number]
    status: (typeof retentionStatuses)[number]
  },
  'name_key'
>

export const retentionTable = defineTable<RetentionPolicy>({
  name: 'retention_policies',
  columns: tables.retention_policies,
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
})

export const retentionOrders = { name: byName, ...byCreation } as const

export const findPolicyByName = (db: Db, tenantId: string, name: string): Promise<{ id: string } | null> =>
  db.maybe(
    sql`select id from retention_policies where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`,
  )

/** Those of some end users that are under a legal hold. */
export async function heldAmong(db: Db, tenantId: string, endUserIds: string[]): Promise<Set<string>> {
  const rows = await db.rows<{ id: string }>(sql`select id from end_users
    where tenant_id = ${tenantId} and id = any(${endUserIds}::uuid[]) and legal_hold_since is not null`)
  return new Set(rows.map(({ id }) => id))
}

export const withStatus = (status: string): Sql => sql`status = ${status}`
