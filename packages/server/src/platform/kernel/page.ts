/** The sort values of the last row of a page, ending with its unique tie-breaker. */
export type SortKey = (string | number | null)[]

/** A requested page: up to `limit` rows after the sort key `after`. */
export type Page<Sort extends string = string> = { limit: number; after: SortKey | null; sort: Sort }

/** A page ends early, after at least one item, if its items together exceed this size. */
export const maxPageBytes = 4 * 1024 * 1024
