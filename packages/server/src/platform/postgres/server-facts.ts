import type { Db } from './database.ts'
import { sql } from './sql.ts'

/** The major versions of PostgreSQL that Backline is tested with. It refuses older ones. */
export const oldestVersion = 15
export const newestVersion = 18

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

/** The advice for a PostgreSQL that cannot be used; null for one that can. */
export function adviceForServer({ versionNumber, encoding, isStandby }: DatabaseFacts): string | null {
  if (versionNumber < oldestVersion * 10_000) return `use PostgreSQL ${oldestVersion} to ${newestVersion}`
  if (encoding !== 'UTF8') return `the encoding is ${encoding}: create a database with encoding 'UTF8'`
  return isStandby ? 'the server is a read-only standby: set DATABASE_URL to the primary' : null
}

/** The advice for a user who may not create tables; null for one who may. */
export function adviceForRights({ schema, user, mayCreateTables }: DatabaseFacts): string | null {
  if (mayCreateTables) return null
  if (schema === null) return 'create a schema named public'
  return `allow the user to create tables (grant create on schema ${schema} to ${user})`
}

/** The clock of the database in Unix milliseconds. */
export const readClock = async (db: Db): Promise<number> => {
  const [row] = await db.rows<{ ms: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
  )
  return row!.ms
}
