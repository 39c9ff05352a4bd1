import { uuidOf } from '../../../platform/kernel/ids.ts'
import { requireKnownLocale } from '../../../platform/kernel/locales.ts'
import { list, read } from '../../../platform/resource/resource.ts'
import type { Members } from '../../../platform/resource/schema.ts'
import { unlessArchived } from '../../../platform/tables/table.ts'
import { countFaqs, faqSortKey, listFaqs } from '../../knowledge/faqs/finding.ts'
import { conditionsOf as faqConditions } from '../../knowledge/faqs/queries.ts'
import { listArticles } from '../../knowledge/kb/articles/listing.ts'
import {
  type ArticleFilter,
  articleOrders,
  articleTable,
  conditionsOf,
} from '../../knowledge/kb/articles/queries.ts'
import { asServed } from '../../knowledge/kb/articles/schema.ts'
import { SearchFilters } from '../../knowledge/kb/search/schema.ts'
import { countArticles, searchCounted } from '../../knowledge/kb/search/search.ts'
import { noteSearch } from '../../knowledge/kb/searches/counting.ts'
import { MeArticleFilters, MeFaqFilters, meArticleWire, meFaqWire, meHitWire } from './schema.ts'

const credential = 'end_user_token'

function filterOf({ collection_id, locale }: Members<typeof MeArticleFilters>): ArticleFilter {
  requireKnownLocale(locale)
  return {
    view: 'published',
    ...(locale === undefined ? {} : { locale }),
    ...(collection_id === undefined ? {} : { collection_id: uuidOf('kbc', collection_id)! }),
  }
}

function faqsThat(tenantId: string, { locale }: Members<typeof MeFaqFilters>) {
  requireKnownLocale(locale)
  const filter = { status: 'published' as const, ...(locale === undefined ? {} : { locale }) }
  return [...unlessArchived(undefined), ...faqConditions(tenantId, filter)]
}

export const knowledgeRoutes = [
  list({
    path: '/me/kb/search',
    name: 'searchMyKbArticles',
    summary: 'Search published articles as an end user',
    description:
      'Returns the best matches first. The last word may be incomplete. If no article contains all words, spelling is corrected; if there is still no match, articles with any of the words are returned.',
    credential,
    query: SearchFilters,
    item: meHitWire,
    sorts: ['relevance'],
    sortNotes: { relevance: 'best match first' },
    sortKey: ({ key }) => key,
    handle: (ctx, { query, page }) => searchCounted(ctx, query, page),
    count: (ctx, { query }, atMost) => countArticles(ctx, query, atMost),
  }),
  list({
    path: '/me/kb/articles',
    name: 'listMyKbArticles',
    summary: 'List published articles as an end user',
    description: 'Lists published articles with their published texts, never drafts.',
    credential,
    query: MeArticleFilters,
    item: meArticleWire,
    sorts: ['-created_at', 'created_at'],
    sortKey: (row, sort) => articleOrders[sort].key(row),
    handle: (ctx, { query, page }) => listArticles(ctx, filterOf(query), page),
    count: ({ db, env }, { query }, atMost) =>
      articleTable.count(db, env.tenantId, conditionsOf(env.tenantId, filterOf(query)), atMost),
  }),
  read({
    path: '/me/kb/articles/{id}',
    name: 'getMyKbArticle',
    summary: 'Get a published article as an end user',
    description: 'Returns the published version of an article; 404 if it has none.',
    credential,
    params: { id: 'kba' },
    reply: meArticleWire,
    versioned: false,
    handle: async ({ db, env }, { params }) => {
      const found = await articleTable.find(db, env.tenantId, params.id)
      return found && asServed(found)
    },
  }),
  list({
    path: '/me/faqs',
    name: 'listMyFaqs',
    summary: 'List published FAQs as an end user',
    description: 'Lists published FAQs that are not archived. With `q`, searches them.',
    credential,
    query: MeFaqFilters,
    item: meFaqWire,
    sorts: ['position'],
    sortKey: faqSortKey,
    handle: async (ctx, { query, page }) => {
      const found = await listFaqs(ctx, query.q, faqsThat(ctx.env.tenantId, query), page)
      noteSearch(ctx, 'faq', query, page, found)
      return found
    },
    count: (ctx, { query }, atMost) => countFaqs(ctx, query.q, faqsThat(ctx.env.tenantId, query), atMost),
  }),
]
