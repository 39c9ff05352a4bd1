import { mapRows, type Page, type PartialPage } from '../../../../platform/kernel/page.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { type Article, type ArticleFilter, articleOrders, articleTable, conditionsOf } from './queries.ts'
import { asServed } from './schema.ts'

/** A page of articles. It ends early if their texts are long. */
export async function listArticles(
  { db, env: { tenantId } }: Ctx,
  filter: ArticleFilter,
  page: Page<keyof typeof articleOrders>,
): Promise<Article[] | PartialPage<Article>> {
  const found = await articleTable.page(
    db,
    tenantId,
    conditionsOf(tenantId, filter),
    articleOrders[page.sort],
    page,
  )
  return filter.view === 'published' ? mapRows(found, (rows) => rows.map((row) => asServed(row)!)) : found
}
