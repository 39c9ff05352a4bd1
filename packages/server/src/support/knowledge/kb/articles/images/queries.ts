import { everyEnvironment } from '../../../../../platform/journal/every-environment.ts'
import type { Environment } from '../../../../../platform/kernel/environment.ts'
import { typeId } from '../../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../../platform/postgres/sql.ts'

/** The ids of the files that an article uses: in its draft, in any version, or in a former draft. */
export const filesOfArticle = async (db: Db, tenantId: string, articleId: string): Promise<string[]> => {
  const rows = await db.rows<{ file_id: string }>(
    sql`select file_id from kb_article_files where tenant_id = ${tenantId} and article_id = ${articleId}`,
  )
  return rows.map(({ file_id }) => file_id)
}

type Use = { article_id: string; file_id: string }

const uses = rowSet<Use>({
  article_id: ['uuid', ({ article_id }) => article_id],
  file_id: ['uuid', ({ file_id }) => file_id],
})

export const insertArticleFiles = (tenantId: string, used: Use[]): Sql =>
  sql`insert into kb_article_files (tenant_id, article_id, file_id)
    select ${tenantId}::uuid, article_id, file_id from ${uses(used)}`

export const deleteArticleFiles = (tenantId: string, articleId: string): Sql =>
  sql`delete from kb_article_files where tenant_id = ${tenantId} and article_id = ${articleId}`

/**
 * The environment of an article whose published version shows this file as an image; null if there is none. Sanitized
 * HTML has `<` and `>` only around its elements, so that the pattern matches no text.
 */
export const findPublicImage = (db: Db, articleId: string, fileId: string): Promise<Environment | null> =>
  db.maybe(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from ${everyEnvironment} join kb_article_files used on used.tenant_id = h.tenant_id
    join kb_articles article on article.tenant_id = h.tenant_id and article.id = used.article_id
    where used.article_id = ${articleId} and used.file_id = ${fileId} and article.status = 'published'
      and article.published_body_html ~ ${`<img [^>]*src="file:${typeId('file', fileId)}"`}`)
