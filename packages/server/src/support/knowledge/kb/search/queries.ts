import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { findBest, textOf } from '../../../../platform/search/search.ts'
import { type Article, servedArticleTable } from '../articles/queries.ts'

/** An article with its search score; `text` is the source of its snippet. */
export type FoundArticle = Article & { score: number; text: string }

/**
 * The best of some matches (rows of `id` and `score`), in their order. The second statement is the same for all
 * searches: planning it each time would take as long as finding the first ones.
 */
export async function findArticles(
  db: Db,
  tenantId: string,
  matches: Sql,
  limit: number,
  after: SortKey | null,
  attempts = 3,
): Promise<FoundArticle[]> {
  const best = await findBest(db, matches, limit, after)
  const rows = await servedArticles(db, tenantId, best)
  const wasTakenBack = rows.length < best.length
  return wasTakenBack && attempts > 1 ? findArticles(db, tenantId, matches, limit, after, attempts - 1) : rows
}

/** The published articles among some matches, in their order. */
export function servedArticles(
  db: Db,
  tenantId: string,
  best: { id: string; score: number }[],
): Promise<FoundArticle[]> {
  const [ids, scores] = [best.map(({ id }) => id), best.map(({ score }) => score)]
  return db.rows(sql`select ${servedArticleTable.columns(tenantId)}, best.score,
      ${textOf(tenantId, 'kb_article', sql`best.id`)} as text
    from unnest(${ids}::uuid[], ${scores}::integer[]) with ordinality as best (id, score, place)
      join kb_articles on kb_articles.tenant_id = ${tenantId} and kb_articles.id = best.id
    where kb_articles.status = 'published' order by best.place`)
}
