import { uuidOf } from '../../../platform/kernel/ids.ts'
import { Enum, Optional, PartialShape, Shape } from '../../../platform/resource/schema.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import {
  archiveArticle,
  createArticle,
  publishArticle,
  updateArticle,
} from '../../knowledge/kb/articles/actions.ts'
import { articles } from '../../knowledge/kb/articles/entity.ts'
import type { Article } from '../../knowledge/kb/articles/queries.ts'
import { ArticlePatch, NewArticle } from '../../knowledge/kb/articles/schema.ts'
import type { LineType } from './params.ts'

const status = Enum(['draft', 'published', 'archived'])

type Input = { status?: 'draft' | 'published' | 'archived'; author_id?: string | null }

/** Articles have a status in lines, which requests reach by actions, and authors who may be archived meanwhile. */
export const articlesOfLines = {
  entity: articles,
  created: Shape({ ...NewArticle.properties, status: Optional(status) }),
  patched: PartialShape({ ...ArticlePatch.properties, status }),
  async create(change: Change, { status, author_id, ...input }: NewArticle & Input): Promise<Article> {
    const article = await createArticle(change, { ...input, author_id: null })
    return reach(change, withAuthor(change, article, author_id), status)
  },
  async update(
    change: Change,
    id: string,
    { status, author_id, ...patch }: ArticlePatch & Input,
  ): Promise<Article> {
    const article = await updateArticle(change, id, patch)
    return reach(change, withAuthor(change, article, author_id), status)
  },
  showsExternalId: false,
  references: {
    collection: 'kb_collection',
    author: 'operator',
    translation_of: 'kb_article',
  } as const satisfies Record<string, LineType>,
}

const withAuthor = (change: Change, article: Article, id: string | null | undefined): Article =>
  id === undefined
    ? article
    : change.rows.update(articles, article, { author_id: id === null ? null : uuidOf('op', id) })

async function reach(change: Change, article: Article, status: Input['status']): Promise<Article> {
  if (status === undefined || status === article.status) return article
  if (status === 'published') return publishArticle(change, article.id, {})
  return status === 'archived' ? archiveArticle(change, article.id) : article
}
