import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

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
