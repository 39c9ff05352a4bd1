import type { Ctx } from '../../context.ts'
import { countMatches, firstFound, type Reading, readings } from '../../db/search.ts'
import type { Sql } from '../../db/sql.ts'
import { requireWords } from '../../http/search.ts'
import type { Page, SortKey } from '../../lib/page.ts'
import { type Faq, faqOrders, faqTable, findFaqs, matchesAmong } from './queries.ts'

/** An FAQ of a list; `place` is its place among what a search found. */
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
  const found = await firstFound(readingsOf(ctx, query), page.after, ({ matches }, after) =>
    findFaqs(db, env.tenantId, matches, conditions, page.limit, after),
  )
  return (found?.rows ?? []).map((row) => ({ ...row, place: [found!.reading.step, row.score, row.id] }))
}

export async function countFaqs(
  ctx: Ctx,
  query: string | undefined,
  conditions: Sql[],
  atMost: number,
): Promise<number> {
  const { db, env } = ctx
  if (query === undefined) return faqTable.count(db, env.tenantId, conditions, atMost)
  for await (const { matches } of readingsOf(ctx, query)) {
    const count = await countMatches(db, matchesAmong(env.tenantId, matches, conditions), atMost)
    if (count > 0) return count
  }
  return 0
}

function readingsOf({ db, env }: Ctx, query: string): AsyncIterable<Reading> {
  requireWords(query)
  return readings(db, env.tenantId, query, { kinds: ['faq'], localeKeys: null })
}
