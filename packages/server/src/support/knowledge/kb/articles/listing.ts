import { maxPageBytes, type Page } from '../../../../platform/kernel/page.ts'
import type { Stretch } from '../../../../platform/resource/resource.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import {
  type Article,
  type ArticleFilter,
  articleOrders,
  articleTable,
  conditionsOf,
  weighedArticleTable,
} from './queries.ts'
import { asServed } from './schema.ts'

/** A page of articles. It ends early if their texts are long. */
export async function listArticles(
  { db, env: { tenantId } }: Ctx,
  filter: ArticleFilter,
  page: Page<keyof typeof articleOrders>,
): Promise<Stretch<Article>> {
  const order = articleOrders[page.sort]
  const weighed = await weighedArticleTable.list(db, tenantId, conditionsOf(tenantId, filter), order, page)
  const shown = weighed.slice(0, Math.min(page.limit - 1, roomFor(weighed)))
  const found = await articleTable.findMany(
    db,
    tenantId,
    shown.map(({ id }) => id),
  )
  const byId = new Map(found.map((row) => [row.id, filter.view === 'published' ? asServed(row) : row]))
  const hasMore = shown.length < weighed.length
  return {
    rows: shown.flatMap(({ id }) => byId.get(id) ?? []), // without articles that were deleted or unpublished meanwhile
    hasMore,
    reached: hasMore ? order.key(shown.at(-1)!) : null,
  }
}

/** The number of articles that fit on one page. */
function roomFor(articles: { bytes: number }[]): number {
  let sum = 0
  const end = articles.findIndex(({ bytes }) => {
    sum += bytes
    return sum > maxPageBytes
  })
  return end < 0 ? articles.length : Math.max(1, end)
}
