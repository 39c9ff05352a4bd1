import { list } from '../../../resource.ts'
import { hitWire, SearchFilters } from './schema.ts'
import { countArticles, searchArticles } from './search.ts'

export const searchRoutes = [
  list({
    path: '/kb/search',
    name: 'searchKbArticles',
    summary: 'Search published articles',
    description:
      'Best first. The last word may be unfinished; when nothing has all words, misspelt ones are taken for what they may mean, and then articles with any of the words are found.',
    scope: 'kb:read',
    query: SearchFilters,
    item: hitWire,
    sorts: ['relevance'],
    sortKey: ({ key }) => key,
    handle: (ctx, { query, page }) => searchArticles(ctx, query, page),
    count: (ctx, { query }, atMost) => countArticles(ctx, query, atMost),
  }),
]
