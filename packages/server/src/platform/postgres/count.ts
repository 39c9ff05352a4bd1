import type { Db } from './database.ts'
import { type Sql, sql } from './sql.ts'

/** Counts the rows of a statement, up to `atMost`. */
export async function countUpTo(db: Db, found: Sql, atMost: number): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(
    sql`select count(*) from (${found} limit ${atMost}) found`,
  )
  return row!.count
}
