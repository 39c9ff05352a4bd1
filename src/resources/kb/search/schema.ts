import { Id, Language, type Members, Optional, Shape, Text, Type } from '../../../http/schema.ts'
import { Query } from '../../../http/search.ts'
import { defineWire } from '../../../http/wire.ts'
import type { SortKey } from '../../../lib/page.ts'
import type { Article } from '../articles/queries.ts'
import { briefArticleWire } from '../articles/schema.ts'

export const SearchFilters = Shape({
  q: Query('What to look for. Everything, the latest first, when left out.'),
  locale: Optional(
    Language({
      description:
        'Articles in this language, in those that it falls back to (`pt-BR`, `pt`) and in the default language of the workspace; of translations the nearest.',
    }),
  ),
  collection_id: Optional(Id('kbc')),
})
export type SearchFilters = Members<typeof SearchFilters>

/** What a search finds, from the best on: `key` is its place. */
export type Hit = { article: Article; snippet: string; score: number; key: SortKey }

export const Score = () => Type.Number({ minimum: 0, maximum: 1, description: 'How well it fits.' })

export const hitWire = defineWire<Hit>({
  name: 'KbSearchResult',
  schema: Shape({
    article: briefArticleWire.schema,
    snippet: Text(0, 10_000, {
      description: 'Where it was found, as HTML: everything is escaped, and what was found is in `<mark>`.',
    }),
    score: Score(),
  }),
  example: {
    article: briefArticleWire.example,
    snippet: 'Most often the limit of a <mark>card</mark> is reached.',
    score: 0.78,
  },
  present: ({ article, snippet, score }) => ({ article: briefArticleWire.present(article), snippet, score }),
})
