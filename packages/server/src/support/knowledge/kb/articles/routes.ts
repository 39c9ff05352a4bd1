import { ApiError } from '../../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { requireKnownLocale } from '../../../../platform/kernel/locales.ts'
import { nameKey } from '../../../../platform/kernel/names.ts'
import { list, read, remove, write } from '../../../../platform/resource/resource.ts'
import type { Members } from '../../../../platform/resource/schema.ts'
import { Feedback } from '../../feedback/schema.ts'
import { vote } from '../../feedback/vote.ts'
import {
  archiveArticle,
  createArticle,
  deleteArticle,
  publishArticle,
  restoreArticle,
  unpublishArticle,
  updateArticle,
} from './actions.ts'
import { articles } from './entity.ts'
import { listArticles } from './listing.ts'
import {
  type ArticleFilter,
  articleOrders,
  articleSorts,
  articleTable,
  conditionsOf,
  listVersions,
} from './queries.ts'
import {
  ArticleFilters,
  ArticlePatch,
  articleExample,
  articleWire,
  asServed,
  briefArticleWire,
  NewArticle,
  Publication,
  Restoration,
  View,
  versionWire,
} from './schema.ts'

const path = '/kb/articles'
const params = { id: 'kba' }
const scope = { read: 'kb:read', write: 'kb:write' } as const

const unserved = { published_version: null, published_at: null }
const draftExample = { ...articleExample, ...unserved, status: 'draft', helpful_count: 0, unhelpful_count: 0 }
const fresh = { ...draftExample, updated_at: articleExample.created_at, version: 1 }

function toFilter({ collection_id, slug, ...rest }: Members<typeof ArticleFilters>): ArticleFilter {
  requireKnownLocale(rest.locale)
  return {
    ...rest,
    ...(collection_id === undefined ? {} : { collection_id: uuidOf('kbc', collection_id)! }),
    ...(slug === undefined ? {} : { slug_key: nameKey(slug) }),
  }
}

export const articleRoutes = [
  write({
    method: 'POST',
    path,
    name: 'createKbArticle',
    summary: 'Create an article',
    description:
      'Creates the article as a draft. The slug is generated from the title if it is omitted. HTML in the body is sanitized.',
    scope: scope.write,
    status: 201,
    errors: ['already_exists'],
    body: NewArticle,
    bodyExample: {
      collection_id: articleExample.collection_id,
      slug: articleExample.slug,
      locale: 'en',
      title: articleExample.title,
      body: articleExample.body,
      tags: ['cards'],
    },
    reply: articleWire,
    replyExample: fresh,
    location: (row) => `${path}/${articleWire.present(row).id}`,
    handle: (change, { body }) => createArticle(change, body),
  }),
  list({
    path,
    name: 'listKbArticles',
    summary: 'List articles',
    description:
      'Lists articles with their texts. A page can have fewer items than `limit`: it ends where its texts exceed 4 MiB. To show articles to end users, set `view=published`.',
    scope: scope.read,
    query: ArticleFilters,
    item: articleWire,
    sorts: articleSorts,
    sortKey: (row, sort) => articleOrders[sort].key(row),
    handle: (ctx, { query, page }) => listArticles(ctx, toFilter(query), page),
    count: (ctx, { query }, atMost) =>
      articleTable.count(ctx.db, ctx.env.tenantId, conditionsOf(ctx.env.tenantId, toFilter(query)), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getKbArticle',
    summary: 'Get an article',
    description:
      'Returns the draft, as editors see it, or with `view=published` the version that end users may see.',
    scope: scope.read,
    params,
    query: View,
    reply: articleWire,
    handle: async (ctx, { params, query }) => {
      const article = await articleTable.find(ctx.db, ctx.env.tenantId, params.id)
      return article && query.view === 'published' ? asServed(article) : article
    },
  }),
  write({
    method: 'PATCH',
    path: `${path}/{id}`,
    name: 'updateKbArticle',
    summary: 'Update an article draft',
    description:
      'Changes the draft; the published version does not change until the draft is published. After a change of `slug`, the former one still finds the article: see `former_slugs`. HTML in the body is sanitized.',
    scope: scope.write,
    params,
    errors: ['already_exists'],
    body: ArticlePatch,
    bodyExample: { title: 'Why is my card declined?' },
    reply: articleWire,
    replyExample: {
      ...articleExample,
      title: 'Why is my card declined?',
      has_unpublished_changes: true,
      version: 3,
    },
    handle: (change, { params, body }) => updateArticle(change, params.id, body),
  }),
  remove({
    path: `${path}/{id}`,
    name: 'deleteKbArticle',
    summary: 'Delete an article',
    description:
      'Also deletes the versions and votes of the article. An article with translations, or one that FAQs refer to, cannot be deleted.',
    scope: scope.write,
    params,
    errors: ['resource_in_use'],
    handle: (change, { params }) => deleteArticle(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/publish`,
    name: 'publishKbArticle',
    summary: 'Publish an article',
    description:
      'The draft becomes the new published version, immediately or at `publish_at`. Publishing an archived article restores it.',
    scope: scope.write,
    params,
    body: Publication,
    bodyOptional: true,
    bodyExample: {},
    reply: articleWire,
    replyExample: articleExample,
    handle: (change, { params, body }) => publishArticle(change, params.id, body),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/unpublish`,
    name: 'unpublishKbArticle',
    summary: 'Unpublish an article',
    description:
      'The article becomes a draft without a published version. A scheduled publication is cancelled.',
    scope: scope.write,
    params,
    errors: ['invalid_transition'],
    reply: articleWire,
    replyExample: { ...draftExample, version: 3 },
    handle: (change, { params }) => unpublishArticle(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/archive`,
    name: 'archiveKbArticle',
    summary: 'Archive an article',
    description:
      'The article no longer has a published version; its draft, versions and slug are kept. Publish the article to restore it.',
    scope: scope.write,
    params,
    errors: ['invalid_transition'],
    reply: articleWire,
    replyExample: { ...draftExample, status: 'archived', version: 3 },
    handle: (change, { params }) => archiveArticle(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/restore`,
    name: 'restoreKbArticle',
    summary: 'Restore an article version',
    description:
      'Copies the title, excerpt and body of an earlier version into the draft. Everything else, including the published version, stays unchanged.',
    scope: scope.write,
    params,
    body: Restoration,
    bodyExample: { version: 1 },
    reply: articleWire,
    replyExample: { ...articleExample, published_version: 2, has_unpublished_changes: true, version: 5 },
    handle: (change, { params, body }) => restoreArticle(change, params.id, body),
  }),
  list({
    path: `${path}/{id}/versions`,
    name: 'listKbArticleVersions',
    summary: 'List article versions',
    description:
      'Lists all versions that were ever published, with their texts. Any of them can be restored.',
    scope: scope.read,
    params,
    item: versionWire,
    sorts: ['-version'],
    sortNotes: { '-version': 'latest version first' },
    sortKey: (row) => [row.version],
    handle: async (ctx, { params, page }) => {
      const [versions, article] = await Promise.all([
        listVersions(ctx.db, ctx.env.tenantId, params.id, page),
        articleTable.find(ctx.db, ctx.env.tenantId, params.id),
      ])
      if (!article) throw new ApiError('not_found')
      return versions
    },
    count: async (ctx, { params }) =>
      (await articleTable.find(ctx.db, ctx.env.tenantId, params.id))?.last_version ?? 0,
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/feedback`,
    name: 'voteOnKbArticle',
    summary: 'Submit feedback on an article',
    description:
      'Each end user has one vote, whichever of its ids is given; a new vote replaces the previous one. Creates no version and no event. The response omits the body of the article.',
    scope: scope.write,
    params,
    body: Feedback,
    bodyExample: { helpful: true, external_user_id: 'user_42' },
    reply: briefArticleWire, // responses are stored for replays, and votes are many
    handle: (change, { params, body }) => vote(change, articles, params.id, body),
  }),
]
