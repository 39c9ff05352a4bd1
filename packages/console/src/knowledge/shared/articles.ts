import type { KbArticle, KbArticleSummary } from '@backline/sdk'
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { changeItems, usePages } from '../../data/lists.ts'
import type { Tone } from '../../design/Badge.tsx'

export type ArticlePage = { data: KbArticleSummary[]; has_more: boolean; next_cursor: string | null }

export const articlesKey = ['kb/articles', 'list'] as const
export const articleKey = (id: string) => ['kb/articles', id] as const

/** Longer lists are cut here. */
export const mostArticles = 2_000

/** Lists keep no texts. */
export function summaryOf({ body: _, body_html: __, ...summary }: KbArticle): KbArticleSummary {
  return summary
}

/** All articles without their texts, the last changed first. They are shown while further pages arrive. */
export function useArticles() {
  const { backline } = useEnvironment()
  const query = usePages<KbArticleSummary>(articlesKey, async (cursor, signal) => {
    const page = await backline.kb.articles.list({ limit: 100, cursor }, { signal })
    return { ...page, data: page.data.map(summaryOf) }
  })
  const { items, hasNextPage, isFetching, isError, fetchNextPage } = query
  const isCut = hasNextPage && items.length >= mostArticles
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && !isCut) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, isError, isCut, fetchNextPage])
  const articles = [...items].sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  return { ...query, articles, isCut, isComplete: !hasNextPage }
}

export function useArticle(id: string) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: articleKey(id),
    queryFn: ({ signal }) => backline.kb.articles.retrieve(id, undefined, { signal }),
  })
}

/** Stores what a write answered, here and in the list. */
export function useKeepArticle(): (article: KbArticle) => void {
  const cache = useQueryClient()
  return (article) => {
    cache.setQueryData(articleKey(article.id), article)
    cache.setQueryData<InfiniteData<ArticlePage>>(
      articlesKey,
      (known) =>
        known &&
        changeItems(known, (each: KbArticleSummary) => (each.id === article.id ? summaryOf(article) : each)),
    )
  }
}

export const states = ['draft', 'scheduled', 'published', 'changed', 'archived'] as const
export type ArticleState = (typeof states)[number]

/** `changed` is published, and its draft differs. */
export function stateOf(article: KbArticleSummary): ArticleState {
  if (article.status === 'archived') return 'archived'
  if (article.publish_at) return 'scheduled'
  if (article.status === 'published') return article.has_unpublished_changes ? 'changed' : 'published'
  return 'draft'
}

export const tones: Record<ArticleState, Tone> = {
  draft: 'neutral',
  scheduled: 'info',
  published: 'good',
  changed: 'warn',
  archived: 'neutral',
}

/** An article and its translations, the original first. */
export function translationsOf(article: KbArticleSummary, all: KbArticleSummary[]): KbArticleSummary[] {
  const originalId = article.translation_of_id ?? article.id
  return all
    .filter(({ id, translation_of_id }) => id === originalId || translation_of_id === originalId)
    .sort((a, b) => Number(a.id !== originalId) - Number(b.id !== originalId))
}
