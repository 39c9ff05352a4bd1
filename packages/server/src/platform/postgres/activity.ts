import type { Db } from './database.ts'
import { sql } from './sql.ts'

/** The age of the oldest open transaction of this database that has written, in milliseconds; 0 without one. */
export async function oldestWriteMs(db: Pick<Db, 'rows'>): Promise<number> {
  const [row] = await db.rows<{ ms: number }>(
    sql`select coalesce(max(extract(epoch from clock_timestamp() - xact_start)) * 1000, 0)::float8 as ms
      from pg_stat_activity where backend_xid is not null and datname = current_database()`,
  )
  return row!.ms
}
