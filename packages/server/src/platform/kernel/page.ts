/** The sort values of the last row of a page, its unique tie-breaker last. */
export type SortKey = (string | number | null)[]

/** One page of rows is asked for: up to `limit` of them, after the sort key `after`. */
export type Page<Sort extends string = string> = { limit: number; after: SortKey | null; sort: Sort }

/** A page ends early, after one item at least, when its items are longer than this together. */
export const maxPageBytes = 4 * 1024 * 1024
