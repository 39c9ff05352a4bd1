import { list } from '../../../../platform/resource/resource.ts'
import { hitWire, SearchFilters } from './schema.ts'
import { countArticles, searchCounted } from './search.ts'

export const searchRoutes = [
  list({
    path: '/kb/search',
    name: 'searchKbArticles',
    summary: 'Search published articles',
    description:
      'Returns the best matches first. The last word may be incomplete. If no article contains all words, spelling is corrected; if there is still no match, articles with any of the words are returned.',
    scope: 'kb:read',
    query: SearchFilters,
    item: hitWire,
    sorts: ['relevance'],
    sortNotes: { relevance: 'best match first' },
    sortKey: ({ key }) => key,
    handle: (ctx, { query, page }) => searchCounted(ctx, query, page),
    count: (ctx, { query }, atMost) => countArticles(ctx, query, atMost),
  }),
]
