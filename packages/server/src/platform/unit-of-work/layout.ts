import { type Sql, sql } from '../postgres/sql.ts'

/** The way in which the parts of a transaction are sent. */
export type Layout = {
  /** True if all parts are CTEs of one statement; false if each is a statement of its own. */
  isOneStatement: boolean
  /** The position of the last event of the transaction, a bigint; only for parts with the mode `placed`. */
  lastPosition: Sql
}

export const oneStatement: Layout = { isOneStatement: true, lastPosition: sql`(select position from head)` }

/** The layout for Citus. `keepPosition` is one of the statements. */
export const severalStatements: Layout = {
  isOneStatement: false,
  lastPosition: sql`current_setting('backline.position')::bigint`,
}
