import type { Instant } from './clock.ts'

/** The sort values of the last row of a page, ending with its unique tie-breaker. */
export type SortKey = (string | number | null)[]

/** A requested page: up to `limit` rows after the sort key `after`. */
export type Page<Sort extends string = string> = { limit: number; after: SortKey | null; sort: Sort }

/** Part of a list: the rows found, whether more may exist, and the position to continue from, if any. */
export type PartialPage<Row> = { rows: Row[]; hasMore: boolean; reached: SortKey | null }

/** The moment whose state a response shows: the time, and the place in the feed. */
export type AsOf = { at: Instant; feed_cursor: string }

/** A page that shows the state of one moment. */
export type DatedPage<Row> = PartialPage<Row> & {
  asOf: AsOf
  /** JSON that is the same as long as nothing has changed: the ETag is made of it, the URL and the operator. */
  state: unknown
}

/** Replaces the rows of a list. */
export const mapRows = <Row, Other>(
  found: Row[] | PartialPage<Row>,
  map: (rows: Row[]) => Other[],
): Other[] | PartialPage<Other> => (Array.isArray(found) ? map(found) : { ...found, rows: map(found.rows) })

/** A page ends early, after at least one item, if its items together exceed this size. */
export const maxPageBytes = 4 * 1024 * 1024
