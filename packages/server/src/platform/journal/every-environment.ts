import { sql } from '../postgres/sql.ts'

/**
 * All environments as `e`, for queries over all of them. Other tables are joined by `h.tenant_id`: Citus joins a
 * distributed table, such as that of the heads of journals, with others, and refuses to do so for a reference table.
 */
export const everyEnvironment = sql`journal_heads h join environments e on e.id = h.tenant_id`
