import type { Db } from '../../../platform/postgres/database.ts'
import { none, sql } from '../../../platform/postgres/sql.ts'

/** The number of unread messages of conversations that belong to one of these end users. @param only one of them */
export async function countUnreadOf(
  db: Db,
  tenantId: string,
  endUserIds: string[],
  only: string | null,
): Promise<number> {
  const [row] = await db.slowRows<{
    count: number
  }>(sql`select coalesce(sum(unread_by_end_user), 0)::integer as count
    from conversations where tenant_id = ${tenantId} and end_user_id = any(${endUserIds}::uuid[])
      and unread_by_end_user > 0${only === null ? none : sql` and id = ${only}`}`)
  return row!.count
}
