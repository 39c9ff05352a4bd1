import type { ColumnType } from '../postgres/row-set.ts'
import { comma, identifier, join, type Sql, sql } from '../postgres/sql.ts'

/*
 * The size of a large column is known without reading it, so that rows are read without their large columns first
 * (docs/adr/0050-large-rows.md).
 */

/** A row that was read without its large columns has their size; null for others. */
export type Bounded<Row> = Row & { large_bytes?: number | null }

/** Rows whose large columns have more bytes are read in the slots of large statements. */
const smallBytes = sql`8192`

/** The columns of a row: those in `large` are null if together they have more than a few bytes. */
export function boundedOf(table: Sql, columns: [string, ColumnType][], large: ReadonlySet<string>): Sql {
  const size = sizeOf(
    table,
    columns.filter(([name]) => large.has(name)),
  )
  const bounded = columns.map(([name]) => {
    const column = sql`${table}.${identifier(name)}`
    return large.has(name)
      ? sql`case when ${size} <= ${smallBytes} then ${column} end as ${identifier(name)}`
      : column
  })
  return join([...bounded, sql`case when ${size} > ${smallBytes} then ${size} end as large_bytes`], comma)
}

/** The number of rows, at least one, whose large columns together have no more bytes. */
export function fittingIn(bytes: number, rows: { large_bytes?: number | null }[]): number {
  let sum = 0
  const end = rows.findIndex(({ large_bytes }) => {
    sum += large_bytes ?? 0
    return sum > bytes
  })
  return end < 0 ? rows.length : Math.max(1, end)
}

function sizeOf(table: Sql, columns: [string, ColumnType][]): Sql {
  const sizes = columns.map(([name, type]) => {
    const column = sql`${table}.${identifier(name)}`
    return sql`coalesce(octet_length(${type === 'text' ? column : sql`${column}::text`}), 0)`
  })
  return sql`(${join(sizes, sql` + `)})`
}
