import type { InsertForm } from '../postgres/row-set.ts'
import { type Sql, sql } from '../postgres/sql.ts'

/** The way in which the parts of a transaction are written. */
export type Form = InsertForm & {
  /** The position of the last event of the transaction, a bigint; only for parts with the mode `placed`. */
  lastPosition: Sql
}

/** Parts are CTEs of one statement, and `head` is the one that raises the head of the journal. */
export const together: Form = { lastPosition: sql`(select position from head)`, prefersValues: false }

/** Parts are statements of their own, and `keepPosition` is one of them. */
export const separate: Form = {
  lastPosition: sql`current_setting('backline.position')::bigint`,
  prefersValues: true,
}
