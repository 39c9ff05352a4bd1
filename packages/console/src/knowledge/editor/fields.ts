import type { KbArticle, UpdateKbArticleBody } from '@backline/sdk'

/** The parts of an article that a writer edits. Texts that are null in the API are empty here. */
export type ArticleFields = {
  title: string
  slug: string
  excerpt: string
  body: string
  collection_id: string | null
  locale: string
  author_id: string | null
  tags: string[]
}

export const fieldsOf = (article: KbArticle): ArticleFields => ({
  title: article.title ?? '',
  slug: article.slug,
  excerpt: article.excerpt ?? '',
  body: article.body ?? '',
  collection_id: article.collection_id,
  locale: article.locale,
  author_id: article.author_id,
  tags: article.tags,
})

export function patchOf(fields: Partial<ArticleFields>): UpdateKbArticleBody {
  const { title, excerpt, body, ...rest } = fields
  return {
    ...rest,
    ...(title !== undefined && { title: title.trim() === '' ? null : title }),
    ...(excerpt !== undefined && { excerpt: excerpt === '' ? null : excerpt }),
    ...(body !== undefined && { body: body === '' ? null : body }),
  }
}

/** The patch that makes the draft equal to the published version again. */
export function discardingPatch(draft: KbArticle, published: KbArticle): UpdateKbArticleBody {
  const { title, slug, excerpt, body, collection_id, locale, author_id, tags, metadata } = published
  const gone = Object.keys(draft.metadata).filter((key) => !(key in metadata))
  return {
    ...{ title, slug, excerpt, body, collection_id, locale, author_id, tags },
    metadata: { ...metadata, ...Object.fromEntries(gone.map((key) => [key, null])) },
  }
}
