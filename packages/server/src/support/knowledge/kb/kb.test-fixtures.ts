import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: {
    restoreKbArticle: { after: ['publishKbArticle', 'updateKbArticle'] },
    unpublishKbArticle: { after: ['publishKbArticle'] },
  },
  fillers: {
    listKbArticleVersions: 'publishKbArticle',
    searchKbArticles: 'publishKbArticle',
    listKbSearches: 'searchKbArticles',
  },
  eventless: ['voteOnKbArticle'],
}
