import type { Instant } from '../../../../platform/kernel/clock.ts'
import { localeKey } from '../../../../platform/kernel/locales.ts'
import { maxPageBytes, type Page, type PartialPage, type SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import {
  byCreation,
  defineTable,
  type Order,
  type TableDefinition,
} from '../../../../platform/tables/table.ts'
import { partialPageOf, withinPage } from '../../../../platform/tables/within-page.ts'
import type { Actor } from '../../../../platform/unit-of-work/principal.ts'
import { votesFor } from '../../../../platform/votes/votes.ts'
import type { UsedTag } from '../../../catalogue/tags/actions.ts'
import { holdsTagNamed, tagsIn } from '../../../catalogue/tags/queries.ts'
import { type RowOf, tables } from '../../../vocabulary/tables.generated.ts'
import type { Status } from './lifecycle.ts'

/** An article without its text and tags; the published version has a second copy. */
export type Particulars = {
  collection_id: string | null
  slug: string
  locale: string
  title: string | null
  excerpt: string | null
  author_id: string | null
  metadata: Record<string, string>
  former_slugs: string[]
}

/** `stored_id` is the stored alias, if a tag was merged meanwhile. */
type Tags = (UsedTag & { stored_id?: string })[]

/** The draft, and the published version beside it. */
export type Article = RowOf<
  'kb_articles',
  Particulars & {
    tags: Tags
    status: Status
    published: Particulars | null
    published_tags: Tags
    publish_by: Actor | null
    helpful_count: number
    unhelpful_count: number
  },
  | 'locale_key'
  | 'tag_ids'
  | 'family_id'
  | 'published_collection_id'
  | 'published_locale_key'
  | 'published_author_id'
  | 'published_tag_ids'
>

export const familyOf = ({ id, translation_of_id }: Article): string => translation_of_id ?? id

const definition: TableDefinition<Article> = {
  name: 'kb_articles',
  columns: tables.kb_articles,
  derived: {
    locale_key: { type: 'text', value: (row) => localeKey(row.locale) },
    tag_ids: { type: 'uuid[]', value: (row) => idsOf(row.tags) },
    family_id: { type: 'uuid', value: familyOf },
    published_collection_id: { type: 'uuid', value: (row) => row.published?.collection_id ?? null },
    published_locale_key: {
      type: 'text',
      value: ({ published }) => published && localeKey(published.locale),
    },
    published_author_id: { type: 'uuid', value: (row) => row.published?.author_id ?? null },
    published_tag_ids: { type: 'uuid[]', value: (row) => idsOf(row.published_tags) },
  },
  joined: {
    tags: tagsIn(sql`kb_articles.tag_ids`),
    published_tags: tagsIn(sql`kb_articles.published_tag_ids`),
    ...votesFor('kb_articles'),
  },
  large: ['body', 'body_html', 'published_body', 'published_body_html'],
}

const idsOf = (tags: Tags): string[] => [...new Set(tags.map(({ id }) => id))]

export const articleTable = defineTable<Article>(definition)

const nothing = sql`null`
/** The members of `published`, and the texts. */
const unread = {
  ...{ collection_id: nothing, slug: nothing, locale: nothing, title: nothing, excerpt: nothing },
  ...{ author_id: nothing, metadata: nothing, tags: nothing, publish_by: nothing },
  ...{ body: nothing, body_html: nothing, published_body: nothing, published_body_html: nothing },
}

/** Published articles for lists without texts: reading the texts costs more than everything else. */
export const servedArticleTable = defineTable<Article>({
  ...definition,
  columns: Object.fromEntries(Object.entries(definition.columns).filter(([name]) => !(name in unread))),
  joined: { ...definition.joined, ...unread },
  large: [],
})

export const articleOrders = {
  ...byCreation,
  '-updated_at': {
    by: sql`updated_at desc, id desc`,
    after: ([at, id]: SortKey) => sql`(updated_at, id) < (${at}, ${id})`,
    key: (row): SortKey => [row.updated_at, row.id],
  },
} as const satisfies Record<string, Order<Pick<Article, 'id' | 'updated_at'>>>

export const articleSorts = ['-created_at', 'created_at', '-updated_at'] as const

export type ArticleFilter = {
  view?: 'draft' | 'published'
  collection_id?: string
  status?: Status
  locale?: string
  tag?: string
  /** In the form of comparison. */
  slug_key?: string
}

/** Conditions on the published version of published articles, otherwise on the draft. */
export function conditionsOf(tenantId: string, filter: ArticleFilter): Sql[] {
  const { view, collection_id, status, locale, tag, slug_key } = filter
  const served = view === 'published'
  const conditions: Sql[] = []
  if (served) conditions.push(sql`status = 'published'`)
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (collection_id !== undefined)
    conditions.push(sql`${served ? sql`published_collection_id` : sql`collection_id`} = ${collection_id}`)
  if (locale !== undefined)
    conditions.push(sql`${served ? sql`published_locale_key` : sql`locale_key`} = ${localeKey(locale)}`)
  if (tag !== undefined)
    conditions.push(holdsTagNamed(served ? sql`published_tag_ids` : sql`tag_ids`, tenantId, tag))
  // A former slug in this locale finds the article after it moved to another one.
  if (slug_key === undefined) return conditions
  const inLocale = locale === undefined ? sql`true` : sql`locale_key = ${localeKey(locale)}`
  const bySlug = sql`id in (select article_id from kb_slugs
    where tenant_id = ${tenantId} and slug_key = ${slug_key} and ${inLocale})`
  return [...conditions, bySlug]
}

/** Any translation of an article; null if there is none. */
export const findTranslation = (db: Db, tenantId: string, id: string): Promise<{ id: string } | null> =>
  db.maybe(
    sql`select id from kb_articles where tenant_id = ${tenantId} and translation_of_id = ${id} limit 1`,
  )

/** The article of a family in a locale. */
export const findInFamily = (
  db: Db,
  tenantId: string,
  familyId: string,
  locale: string,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from kb_articles
    where tenant_id = ${tenantId} and family_id = ${familyId} and locale_key = ${localeKey(locale)}`)

/** A slug in a locale, both in the form of comparison. */
export type SlugKey = { locale_key: string; slug_key: string }

/** The article that holds a slug; null if the slug is free or a former one. */
export const findSlugHolder = (
  db: Db,
  tenantId: string,
  { locale_key, slug_key }: SlugKey,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select article_id as id from kb_slugs
    where tenant_id = ${tenantId} and locale_key = ${locale_key} and slug_key = ${slug_key} and held`)

type HeldSlug = SlugKey & { article_id: string }

const slugRows = rowSet<HeldSlug>({
  locale_key: ['text', ({ locale_key }) => locale_key],
  slug_key: ['text', ({ slug_key }) => slug_key],
  article_id: ['uuid', ({ article_id }) => article_id],
})

/** Takes slugs; returns one row for each that no article holds. */
export const holdSlugs = (tenantId: string, slugs: HeldSlug[]): Sql =>
  sql`insert into kb_slugs (tenant_id, locale_key, slug_key, article_id, held)
    select ${tenantId}::uuid, locale_key, slug_key, article_id, true from ${slugRows(slugs)}
    on conflict (tenant_id, locale_key, slug_key) do update set article_id = excluded.article_id, held = true
      where not kb_slugs.held returning 1`

/** Makes slugs former ones of the article; other articles can take them. */
export const releaseSlugs = (tenantId: string, slugs: HeldSlug[]): Sql =>
  sql`update kb_slugs set held = false from ${slugRows(slugs)} where kb_slugs.tenant_id = ${tenantId}
    and kb_slugs.locale_key = v.locale_key and kb_slugs.slug_key = v.slug_key and kb_slugs.article_id = v.article_id`

export const deleteSlugs = (tenantId: string, articleId: string): Sql =>
  sql`delete from kb_slugs where tenant_id = ${tenantId} and article_id = ${articleId}`

/** An immutable published version. */
export type Version = {
  version: number
  title: string
  body: string
  excerpt: string | null
  published_at: Instant
  published_by: Actor
}

export const insertVersion = (tenantId: string, articleId: string, it: Version): Sql =>
  sql`insert into kb_article_versions (tenant_id, article_id, version, title, body, excerpt, published_at, published_by)
    values (${tenantId}, ${articleId}, ${it.version}, ${it.title}, ${it.body}, ${it.excerpt}, ${it.published_at},
      ${JSON.stringify(it.published_by)})`

const versionColumns = sql`version, title, body, excerpt, published_at, published_by`

export const findVersion = (
  db: Db,
  tenantId: string,
  articleId: string,
  version: number,
): Promise<Version | null> =>
  db.maybe(sql`select ${versionColumns} from kb_article_versions
    where tenant_id = ${tenantId} and article_id = ${articleId} and version = ${version}`)

/** Latest first. A page ends early if the texts are long. */
export async function listVersions(
  db: Db,
  tenantId: string,
  articleId: string,
  { limit, after }: Omit<Page, 'sort'>,
): Promise<Version[] | PartialPage<Version>> {
  const rows = sql`select * from kb_article_versions where tenant_id = ${tenantId} and article_id = ${articleId}
    and version < ${after?.[0] ?? 2147483647} order by version desc limit ${limit}`
  const bytes = sql`octet_length(body)`
  const read = withinPage({
    columns: versionColumns,
    rows,
    name: sql`versions`,
    bytes,
    by: sql`version desc`,
  })
  return partialPageOf(await db.largeRows<Version & { found: number }>(read, maxPageBytes), ({ version }) => [
    version,
  ])
}

export const deleteVersions = (tenantId: string, articleId: string): Sql =>
  sql`delete from kb_article_versions where tenant_id = ${tenantId} and article_id = ${articleId}`
