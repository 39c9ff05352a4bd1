import {
  Enum,
  Int,
  Language,
  type Members,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import { maxQueryLength } from './kept-query.ts'
import type { KbSearch } from './queries.ts'

export const SearchListFilters = Shape({
  last_found_nothing: Optional(
    Enum(['true', 'false'], {
      description:
        'With `true`, return only queries whose last search found nothing; with `false`, the others.',
    }),
  ),
  locale: Optional(
    Language({
      description: 'Return only queries of searches in exactly this language, regardless of case.',
    }),
  ),
  last_searched_after: Optional(
    Timestamp({ description: 'Return only queries last searched after this time, exclusive.' }),
  ),
  last_searched_before: Optional(
    Timestamp({ description: 'Return only queries last searched before this time, exclusive.' }),
  ),
})
export type SearchListFilters = Members<typeof SearchListFilters>

export const kbSearchWire = defineWire<KbSearch>({
  name: 'KbSearch',
  schema: Shape({
    object: Enum(['kb_search']),
    query: Text(1, maxQueryLength, {
      description: 'The words that were searched, in lower case and with single spaces.',
    }),
    locale: Nullable(Language(), {
      description: 'The language of the searches; null if they had none. Each language is counted by itself.',
    }),
    searches: Int(0, 2147483647, { description: 'The number of searches.' }),
    found_nothing: Int(0, 2147483647, { description: 'The number of searches that found nothing.' }),
    last_searched_at: Timestamp({ description: 'The time of the last search.' }),
  }),
  example: {
    object: 'kb_search',
    query: 'apple pay',
    locale: 'en',
    searches: 41,
    found_nothing: 41,
    last_searched_at: '2026-11-20T09:30:00.000Z',
  },
  present: ({ locale, ...row }) => ({ ...row, object: 'kb_search', locale: locale || null }),
})
