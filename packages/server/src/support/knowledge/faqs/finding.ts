import type { Page, SortKey } from '../../../platform/kernel/page.ts'
import type { Sql } from '../../../platform/postgres/sql.ts'
import { requireWords } from '../../../platform/search/parameter.ts'
import { countMatches, firstFound, placeOf, type Reading, readings } from '../../../platform/search/search.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Faq, faqOrders, faqTable, findFaqs, isFaqThat } from './queries.ts'

/** An FAQ of a list; `place` is its place among search results. */
export type ListedFaq = Faq & { place?: SortKey }

type Sort = keyof typeof faqOrders

export const faqSortKey = (faq: ListedFaq, sort: Sort): SortKey => faq.place ?? faqOrders[sort].key(faq)

export async function listFaqs(
  ctx: Ctx,
  query: string | undefined,
  conditions: Sql[],
  page: Page<Sort>,
): Promise<ListedFaq[]> {
  const { db, env } = ctx
  if (query === undefined) return faqTable.list(db, env.tenantId, conditions, faqOrders[page.sort], page)
  const found = await firstFound(
    readingsOf(ctx, query, conditions, page.after),
    page.after,
    ({ matches }, after) => findFaqs(db, env.tenantId, matches, page.limit, after),
  )
  return (found?.rows ?? []).map((row) => ({ ...row, place: placeOf(found!.reading, row) }))
}

export async function countFaqs(
  ctx: Ctx,
  query: string | undefined,
  conditions: Sql[],
  atMost: number,
): Promise<number> {
  const { db, env } = ctx
  if (query === undefined) return faqTable.count(db, env.tenantId, conditions, atMost)
  for await (const { matches } of readingsOf(ctx, query, conditions)) {
    const count = await countMatches(db, matches, atMost)
    if (count > 0) return count
  }
  return 0
}

function readingsOf(
  { db, env }: Ctx,
  query: string,
  conditions: Sql[],
  after: SortKey | null = null,
): AsyncIterable<Reading> {
  requireWords(query)
  const among = isFaqThat(env.tenantId, conditions)
  return readings(db, env.tenantId, query, { kinds: ['faq'], localeKeys: null, among }, after)
}
