import type { KbArticleSummary, KbCollection } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useSettled } from '../../data/settled.ts'
import { idsBelow } from '../../data/tree.ts'
import { type ArticleState, stateOf, states } from '../shared/articles.ts'

export type Filters = {
  q: string
  collection: string
  state: ArticleState | ''
  locale: string
  tag: string
}

const names = ['q', 'collection', 'state', 'locale', 'tag'] as const

/** The filters are part of the address, so that a filtered list can be shared. */
export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [values, change] = useParams(names)
  return [{ ...values, state: states.find((each) => each === values.state) ?? '' }, change]
}

/** Searches the texts of published articles. Drafts are found by their titles alone: see `filtered`. */
export function useHits(query: string) {
  const { backline } = useEnvironment()
  const q = useSettled(query.trim())
  const { data, isFetching } = useQuery({
    queryKey: ['kb/search', q],
    queryFn: ({ signal }) => backline.kb.search({ q, limit: 100 }, { signal }),
    enabled: q.length > 1,
    placeholderData: (before) => before,
  })
  return { hits: q.length > 1 ? (data?.data ?? []) : [], isFetching }
}

type Hit = { article: KbArticleSummary; snippet: string }
export type Found = { article: KbArticleSummary; snippet: string | null }

/** The articles that match: hits of the search by relevance, then those whose names contain the words. */
export function filtered(
  articles: KbArticleSummary[],
  collections: KbCollection[],
  { q, collection, state, locale, tag }: Filters,
  hits: Hit[],
): Found[] {
  const within = collection ? idsBelow(collections, collection) : null
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const ranks = new Map(hits.map(({ article }, i) => [article.id, i]))
  const rankOf = (id: string) => ranks.get(id) ?? hits.length
  return articles
    .filter(
      (each) =>
        (!within || within.has(each.collection_id ?? '')) &&
        isInState(each, state) &&
        (!locale || each.locale === locale) &&
        (!tag || each.tags.includes(tag)) &&
        (words.length === 0 || ranks.has(each.id) || isNamed(each, words)),
    )
    .sort((a, b) => rankOf(a.id) - rankOf(b.id))
    .map((article) => ({ article, snippet: hits[rankOf(article.id)]?.snippet ?? null }))
}

function isInState(article: KbArticleSummary, state: ArticleState | ''): boolean {
  const own = stateOf(article)
  if (state === '') return own !== 'archived'
  return own === state || (state === 'published' && article.published_version !== null)
}

function isNamed({ title, slug, excerpt, tags }: KbArticleSummary, words: string[]): boolean {
  const names = [title, slug, excerpt, ...tags].join(' ').toLowerCase()
  return words.every((word) => names.includes(word))
}
