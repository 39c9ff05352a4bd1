import type { Db } from '@backline/server/platform/postgres/database.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'

export type DatabaseFacts = {
  version: string
  /** `180004` for 18.4. */
  versionNumber: number
  encoding: string
  isStandby: boolean
  user: string
  database: string
  /** The schema for new tables; null if it does not exist. */
  schema: string | null
  mayCreateTables: boolean
}

export const findDatabaseFacts = async (db: Db): Promise<DatabaseFacts> => {
  const [row] = await db.rows<DatabaseFacts>(sql`select current_setting('server_version') as version,
    current_setting('server_version_num')::integer as "versionNumber", current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as "isStandby", current_user as user, current_database() as database,
    current_schema() as schema,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreateTables"`)
  return row!
}

/** The clock of the database in Unix milliseconds. */
export const readClock = async (db: Db): Promise<number> => {
  const [row] = await db.rows<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return row!.ms
}
