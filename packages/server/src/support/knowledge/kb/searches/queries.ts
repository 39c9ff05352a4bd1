import { everyEnvironment } from '../../../../platform/journal/every-environment.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Page, SortKey } from '../../../../platform/kernel/page.ts'
import { countUpTo } from '../../../../platform/postgres/count.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { and, join, limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'

/** The searches for a query since its counts were last written. */
export type SearchCounts = {
  query: string
  /** Empty for searches without a language. */
  locale: string
  article_searches: number
  article_found: number
  faq_searches: number
  faq_found: number
  last_searched_at: Instant
  last_found_at: Instant | null
}

/** A query as it is shown. */
export type KbSearch = Pick<SearchCounts, 'query' | 'locale' | 'last_searched_at'> & {
  searches: number
  found_nothing: number
}

/** Days after its last search for which a query is kept. */
export const retentionDays = 90

const rows = rowSet<SearchCounts>({
  query: ['text', ({ query }) => query],
  locale: ['text', ({ locale }) => locale],
  article_searches: ['integer', ({ article_searches }) => article_searches],
  article_found: ['integer', ({ article_found }) => article_found],
  faq_searches: ['integer', ({ faq_searches }) => faq_searches],
  faq_found: ['integer', ({ faq_found }) => faq_found],
  last_searched_at: ['timestamptz', ({ last_searched_at }) => last_searched_at],
  last_found_at: ['timestamptz', ({ last_found_at }) => last_found_at],
})

const columns = sql`query, locale, article_searches, article_found, faq_searches, faq_found, last_searched_at, last_found_at`
const sum = (column: Sql) =>
  sql`${column} = kb_searches.${column} + least(excluded.${column}, 2147483647 - kb_searches.${column})`
const later = (column: Sql) => sql`${column} = greatest(kb_searches.${column}, excluded.${column})`

/** Adds counts to those of the queries. In one order, so that two processes do not deadlock. */
export async function addSearches(db: Db, tenantId: string, counts: SearchCounts[]): Promise<void> {
  const sorted = counts.toSorted((a, b) => compare(a.query, b.query) || compare(a.locale, b.locale))
  await db.write(sql`insert into kb_searches (tenant_id, ${columns})
    select ${tenantId}::uuid, ${columns} from ${rows(sorted)}
    on conflict (tenant_id, query, locale) do update set ${sum(sql`article_searches`)}, ${sum(sql`article_found`)},
      ${sum(sql`faq_searches`)}, ${sum(sql`faq_found`)}, ${later(sql`last_searched_at`)}, ${later(sql`last_found_at`)}`)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export type SearchFilter = {
  last_found_nothing?: boolean
  locale?: string
  last_searched_after: Instant | null
  last_searched_before: Instant | null
}

/**
 * True if the last search found nothing. Searches of articles and FAQs that belong together are some moments apart, and
 * one of them may find something.
 */
const lastFoundNothing = sql`(last_found_at is null or last_found_at < last_searched_at - interval '1 minute')`

const conditionsOf = (tenantId: string, filter: SearchFilter): Sql => {
  const { last_found_nothing, locale, last_searched_after, last_searched_before } = filter
  return join(
    [
      sql`tenant_id = ${tenantId}`,
      ...(last_found_nothing === undefined
        ? []
        : [last_found_nothing ? lastFoundNothing : sql`not ${lastFoundNothing}`]),
      ...(locale === undefined ? [] : [sql`locale = ${locale}`]),
      ...(last_searched_after === null ? [] : [sql`last_searched_at > ${last_searched_after}`]),
      ...(last_searched_before === null ? [] : [sql`last_searched_at < ${last_searched_before}`]),
    ],
    and,
  )
}

export const searchOrders = {
  '-searches': {
    by: sql`searches desc, query desc, locale desc`,
    after: ([searches, query, locale]: SortKey) =>
      sql`(searches, query, locale) < (${searches}, ${query}, ${locale})`,
    key: ({ searches, query, locale }: KbSearch): SortKey => [searches, query, locale],
  },
  '-last_searched_at': {
    by: sql`last_searched_at desc, query desc, locale desc`,
    after: ([at, query, locale]: SortKey) =>
      sql`(last_searched_at, query, locale) < (${at}, ${query}, ${locale})`,
    key: ({ last_searched_at, query, locale }: KbSearch): SortKey => [last_searched_at, query, locale],
  },
} as const

/** An environment has some ten thousand rows at most: they are sorted by each call. */
export function listSearches(
  db: Db,
  tenantId: string,
  filter: SearchFilter,
  { limit, after, sort }: Page<keyof typeof searchOrders>,
): Promise<KbSearch[]> {
  const order = searchOrders[sort]
  return db.slowRows(sql`select query, locale, searches, searches - found as found_nothing, last_searched_at
    from (select query, locale, greatest(article_searches, faq_searches) as searches,
        greatest(article_found, faq_found) as found, last_searched_at
      from kb_searches where ${conditionsOf(tenantId, filter)}) counted
    where ${after ? order.after(after) : sql`true`} order by ${order.by} ${limitTo(limit)}`)
}

export const countSearches = (
  db: Db,
  tenantId: string,
  filter: SearchFilter,
  atMost: number,
): Promise<number> =>
  countUpTo(db, sql`select 1 from kb_searches where ${conditionsOf(tenantId, filter)}`, atMost)

/** Removes all rows but about the last `most`, by their last search. */
export async function trimSearches(db: Db, tenantId: string, most: number): Promise<void> {
  const [first] = await db.slowRows<{
    last_searched_at: Instant
  }>(sql`select last_searched_at from kb_searches
    where tenant_id = ${tenantId} order by last_searched_at desc offset ${most} limit 1`)
  if (first)
    await db.write(sql`delete from kb_searches
      where tenant_id = ${tenantId} and last_searched_at <= ${first.last_searched_at}`)
}

/** Removes up to `limit` queries whose last search is older than `cutoff`, and returns their number. */
export async function sweepSearches(
  db: Db,
  tenantId: string,
  cutoff: Instant,
  limit: number,
): Promise<number> {
  const swept = await db.write(sql`delete from kb_searches where tenant_id = ${tenantId}
    and (query, locale) in (select query, locale from kb_searches
      where tenant_id = ${tenantId} and last_searched_at < ${cutoff} order by last_searched_at limit ${limit})
    returning 1 as swept`)
  return swept.length
}

/** The environments whose least recently searched query is older than the retention period, by their own clock. */
export async function environmentsWithExpiredSearches(db: Db, realNowMs: number): Promise<string[]> {
  const found = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select last_searched_at from kb_searches
      where kb_searches.tenant_id = h.tenant_id order by last_searched_at limit 1) oldest
    where extract(epoch from oldest.last_searched_at) * 1000
      < ${realNowMs}::bigint + e.clock_offset_ms - ${retentionDays * 86_400_000}::bigint`)
  return found.map(({ id }) => id)
}
