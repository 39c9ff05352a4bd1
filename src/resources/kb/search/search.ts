import type { Ctx } from '../../../context.ts'
import { countMatches, firstFound, readings, type SearchScope } from '../../../db/search.ts'
import { requireWords } from '../../../http/search.ts'
import { ApiError } from '../../../lib/errors.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { localeFault } from '../../../lib/locales.ts'
import type { SortKey } from '../../../lib/page.ts'
import { snippet } from '../../../lib/snippet.ts'
import { asServed } from '../articles/schema.ts'
import { localesFor } from './locales.ts'
import { findArticles } from './queries.ts'
import type { Hit, SearchFilters } from './schema.ts'

/** A page of what a search finds, best first. */
export async function searchArticles(
  ctx: Ctx,
  filters: SearchFilters,
  { limit, after }: { limit: number; after: SortKey | null },
): Promise<Hit[]> {
  const found = await firstFound(await readingsOf(ctx, filters), after, ({ matches }, rest) =>
    findArticles(ctx.db, ctx.env.tenantId, matches, limit, rest),
  )
  if (!found) return []
  const { step, terms } = found.reading
  return found.rows.map((row) => ({
    article: asServed(row)!,
    snippet: snippet(row.text, terms),
    score: row.score / 10_000,
    key: [step, row.score, row.id],
  }))
}

export async function countArticles(ctx: Ctx, filters: SearchFilters, atMost: number): Promise<number> {
  for await (const { matches } of await readingsOf(ctx, filters)) {
    const count = await countMatches(ctx.db, matches, atMost)
    if (count > 0) return count
  }
  return 0
}

async function readingsOf(ctx: Ctx, { q, locale, collection_id }: SearchFilters) {
  if (q !== undefined) requireWords(q)
  const fault = locale === undefined ? null : localeFault(locale)
  if (fault) throw new ApiError('invalid_query', {}, { errors: [{ parameter: 'locale', ...fault }] })
  const scope: SearchScope = {
    kinds: ['kb_article'],
    localeKeys: locale === undefined ? null : await localesFor(ctx, locale),
    ...(collection_id === undefined ? {} : { collectionId: uuidOf('kbc', collection_id)! }),
  }
  return readings(ctx.db, ctx.env.tenantId, q, scope)
}
