import { castVote } from '../../../db/votes.ts'
import type { Members } from '../../../http/schema.ts'
import { ApiError } from '../../../lib/errors.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { nameKey } from '../../../lib/names.ts'
import { list, read, remove, write } from '../../../resource.ts'
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
  Feedback,
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
      'As a draft. The slug is made from the title when it is left out. HTML in the body is kept as far as it is harmless.',
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
    scope: scope.read,
    query: ArticleFilters,
    item: articleWire,
    sorts: articleSorts,
    sortKey: (row, sort) => articleOrders[sort].key(row),
    handle: async (ctx, { query, page }) => {
      const { tenantId } = ctx.env
      const rows = await articleTable.list(
        ctx.db,
        tenantId,
        conditionsOf(tenantId, toFilter(query)),
        articleOrders[page.sort],
        page,
      )
      return query.view === 'published' ? rows.map((row) => asServed(row)!) : rows
    },
    count: (ctx, { query }, atMost) =>
      articleTable.count(ctx.db, ctx.env.tenantId, conditionsOf(ctx.env.tenantId, toFilter(query)), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getKbArticle',
    summary: 'Get an article',
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
    summary: 'Change the draft of an article',
    description: 'What is served stays as it is until the draft is published.',
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
      'With its versions and votes. One that has translations, or that FAQs name, cannot be deleted.',
    scope: scope.write,
    params,
    errors: ['resource_in_use'],
    handle: (change, { params }) => deleteArticle(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/{id}/publish`,
    name: 'publishKbArticle',
    summary: 'Publish the draft of an article',
    description:
      'The draft becomes a version, and is what is served. With `publish_at` that happens then. An archived article is no longer archived.',
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
    summary: 'Take an article back',
    description: 'It is a draft again, and nothing is served; nor will it be published by itself.',
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
    description: 'Nothing is served; the draft, the versions and the slug stay. Publishing brings it back.',
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
    summary: 'Make a former version the draft',
    description: 'Its title, excerpt and body; everything else stays, and what is served as well.',
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
    summary: 'List what was published of an article',
    description: 'The latest first.',
    scope: scope.read,
    params,
    item: versionWire,
    sorts: ['-version'],
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
    summary: 'Say whether an article helped',
    description: 'One vote for each end user; another one takes its place. No version and no event.',
    scope: scope.write,
    params,
    body: Feedback,
    bodyExample: { helpful: true, external_user_id: 'user_42' },
    reply: articleWire,
    handle: async (change, { params, body }) =>
      castVote(change, await change.addressed(articles, params.id), body),
  }),
]
