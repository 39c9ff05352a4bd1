import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** An end user, and those that were merged into it. */
export const findPerson = (
  db: Db,
  tenantId: string,
  id: string,
): Promise<{ id: string; external_id: string | null }[]> =>
  db.rows(sql`select id, external_id from end_users
    where tenant_id = ${tenantId} and (id = ${id} or merged_into_id = ${id})`)
