import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { requireKnownLocale } from '../../../../platform/kernel/locales.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import { requireWords } from '../../../../platform/search/parameter.ts'
import {
  countMatches,
  firstFound,
  placeOf,
  readings,
  type SearchScope,
} from '../../../../platform/search/search.ts'
import { snippet } from '../../../../platform/search/snippet.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { asServed } from '../articles/schema.ts'
import { noteSearch } from '../searches/counting.ts'
import { localesFor } from './locales.ts'
import { findArticles } from './queries.ts'
import type { Hit, SearchFilters } from './schema.ts'

/** A page of search results, best first. */
async function searchArticles(
  ctx: Ctx,
  filters: SearchFilters,
  { limit, after }: { limit: number; after: SortKey | null },
): Promise<Hit[]> {
  const found = await firstFound(await readingsOf(ctx, filters, after), after, ({ matches }, rest) =>
    findArticles(ctx.db, ctx.env.tenantId, matches, limit, rest),
  )
  if (!found) return []
  return found.rows.map((row) => ({
    article: asServed(row)!,
    snippet: snippet(row.text, found.reading.terms),
    score: row.score / 10_000,
    key: placeOf(found.reading, row),
  }))
}

/** A page of search results, which is counted unless it is confined to a collection: others may have the text. */
export async function searchCounted(
  ctx: Ctx,
  filters: SearchFilters,
  page: { limit: number; after: SortKey | null },
): Promise<Hit[]> {
  const found = await searchArticles(ctx, filters, page)
  if (filters.collection_id === undefined) noteSearch(ctx, 'article', filters, page, found)
  return found
}

export async function countArticles(ctx: Ctx, filters: SearchFilters, atMost: number): Promise<number> {
  for await (const { matches } of await readingsOf(ctx, filters)) {
    const count = await countMatches(ctx.db, matches, atMost)
    if (count > 0) return count
  }
  return 0
}

async function readingsOf(
  ctx: Ctx,
  { q, locale, collection_id }: SearchFilters,
  after: SortKey | null = null,
) {
  if (q !== undefined) requireWords(q)
  requireKnownLocale(locale)
  const scope: SearchScope = {
    kinds: ['kb_article'],
    localeKeys: locale === undefined ? null : await localesFor(ctx, locale),
    ...(collection_id === undefined ? {} : { collectionId: uuidOf('kbc', collection_id)! }),
  }
  return readings(ctx.db, ctx.env.tenantId, q, scope, after)
}
