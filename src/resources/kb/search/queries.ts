import type { Db } from '../../../db/database.ts'
import { findBest, textOf } from '../../../db/search.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { SortKey } from '../../../lib/page.ts'
import { type Article, briefArticleTable } from '../articles/queries.ts'

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
  const rows = await servedArticles(
    db,
    tenantId,
    best.map(({ id }) => id),
  )
  // One was taken back in between.
  if (rows.length < best.length) return findArticles(db, tenantId, matches, limit, after)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return best.map(({ id, score }) => ({ ...byId.get(id)!, score }))
}

/** Of some articles those that are served. */
export const servedArticles = (
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<(Article & { text: string })[]> =>
  db.rows(sql`select ${briefArticleTable.columns(tenantId)}, ${textOf(tenantId, 'kb_article', sql`kb_articles.id`)} as text
    from kb_articles where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and status = 'published'`)
