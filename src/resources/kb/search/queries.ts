import type { Db } from '../../../db/database.ts'
import { bestOf, textOf } from '../../../db/search.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { SortKey } from '../../../lib/page.ts'
import { type Article, briefArticleTable } from '../articles/queries.ts'

/** An article that a search finds; `text` is where to show what was found. */
export type FoundArticle = Article & { score: number; text: string }

/** The best of some matches (rows of `id` and `score`), in their order. */
export const findArticles = (
  db: Db,
  tenantId: string,
  matches: Sql,
  limit: number,
  after: SortKey | null,
): Promise<FoundArticle[]> =>
  db.slowRows(sql`select ${briefArticleTable.columns(tenantId)}, best.score,
      ${textOf(tenantId, 'kb_article', sql`best.id`)} as text
    from (${bestOf(matches, limit, after)}) best
      join kb_articles on kb_articles.tenant_id = ${tenantId} and kb_articles.id = best.id
    order by best.score desc, best.id desc`)
