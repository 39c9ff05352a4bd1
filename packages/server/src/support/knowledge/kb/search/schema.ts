import type { SortKey } from '../../../../platform/kernel/page.ts'
import {
  Described,
  Id,
  Language,
  type Members,
  Optional,
  Shape,
  Text,
  Type,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { Query } from '../../../../platform/search/parameter.ts'
import type { Article } from '../articles/queries.ts'
import { briefArticleWire } from '../articles/schema.ts'

export const SearchFilters = Shape({
  q: Query('Words to search for. If omitted, all articles are returned, latest first.'),
  locale: Optional(
    Language({
      description:
        'Return articles in this language, in its fallback languages (`pt` for `pt-BR`) and in the default language of the workspace. For a translated article, only the closest language is returned.',
    }),
  ),
  collection_id: Optional(
    Id('kbc', { description: 'Return only articles in this collection, without its subcollections.' }),
  ),
})
export type SearchFilters = Members<typeof SearchFilters>

/** A search result; `key` is its place. */
export type Hit = { article: Article; snippet: string; score: number; key: SortKey }

export const Score = () =>
  Type.Number({ minimum: 0, maximum: 1, description: 'Relevance of the match, from 0 to 1.' })

export const hitWire = defineWire<Hit>({
  name: 'KbSearchResult',
  schema: Shape({
    article: Described('The article as published.', briefArticleWire.schema),
    snippet: Text(0, 10_000, {
      description: 'An excerpt around the match as escaped HTML, with matching words in `<mark>`.',
    }),
    score: Score(),
  }),
  example: {
    article: briefArticleWire.example,
    snippet: 'Most often, the daily limit of the <mark>card</mark> is reached.',
    score: 0.78,
  },
  present: ({ article, snippet, score }) => ({ article: briefArticleWire.present(article), snippet, score }),
})
