import { maxPageBytes, type PartialPage, type SortKey } from '../kernel/page.ts'
import { type Sql, sql } from '../postgres/sql.ts'

/**
 * Reads the first of some rows, and as many of the next ones as fit on a page with it. PostgreSQL cuts the page before
 * it sends the rows. `found` in each row is the number of rows before the cut.
 * @param it.rows a query; `name` is its name for the other parts
 * @param it.bytes the size of a row
 */
export const withinPage = (it: { columns: Sql; rows: Sql; name: Sql; bytes: Sql; by: Sql }): Sql =>
  sql`select ${it.columns}, found from (
      select ${it.name}.*, count(*) over () as found, coalesce(sum(${it.bytes})
        over (order by ${it.by} rows between unbounded preceding and 1 preceding), 0) as bytes_before
      from (${it.rows}) ${it.name}) ${it.name}
    where bytes_before < ${maxPageBytes} order by ${it.by}`

/** The rows of `withinPage`, as part of a list if the page was cut. */
export function partialPageOf<Row extends { found: number }>(
  rows: Row[],
  keyOf: (row: Row) => SortKey,
): Row[] | PartialPage<Row> {
  const last = rows.at(-1)
  return last && rows.length < last.found ? { rows, hasMore: true, reached: keyOf(last) } : rows
}
