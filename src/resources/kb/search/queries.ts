import type { Db } from '../../../db/database.ts'
import { findBest, textOf } from '../../../db/search.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { SortKey } from '../../../lib/page.ts'
import { type Article, servedArticleTable } from '../articles/queries.ts'

/** An article that a search finds; `text` is where to show what was found. */
export type FoundArticle = Article & { score: number; text: string }

/**
 * The best of some matches (rows of `id` and `score`), in their order. In two statements: the second is the same for
 * all searches, and to plan it each time would take as long as to find the first ones.
 */
export async function findArticles(
  db: Db,
  tenantId: string,
  matches: Sql,
  limit: number,
  after: SortKey | null,
): Promise<FoundArticle[]> {
  const best = await findBest(db, matches, limit, after)
  const rows = await servedArticles(db, tenantId, best)
  // One was taken back in between.
  return rows.length < best.length ? findArticles(db, tenantId, matches, limit, after) : rows
}

/** Of what was found the articles that are served, in that order. */
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
