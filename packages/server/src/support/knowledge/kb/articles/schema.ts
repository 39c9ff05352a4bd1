import { withFileUrls } from '../../../../platform/kernel/html-images.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { publicUrl } from '../../../../platform/kernel/public-url.ts'
import {
  Actor,
  Enum,
  Flag,
  Id,
  Int,
  KnownLanguage,
  Language,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Slug,
  Text,
  Timestamp,
  votes,
} from '../../../../platform/resource/schema.ts'
import { defineWire, type RowWire } from '../../../../platform/resource/wire.ts'
import { statuses } from './lifecycle.ts'
import type { Article, Version } from './queries.ts'

export const maxBodyBytes = 512 * 1024
export const maxTags = 50
export const maxFormerSlugs = 50

const publishAt = Nullable(Timestamp(), {
  description:
    'The time at which the draft, in its state at that time, will be published; null if none is scheduled.',
})

const fields = {
  collection_id: Nullable(Id('kbc'), {
    description: 'The collection of the article; null if it is in none.',
  }),
  slug: Slug({
    description: 'The URL segment of the article. Unique among the articles of a locale, drafts included.',
  }),
  locale: KnownLanguage({ description: 'The language of the article as a BCP 47 tag.' }),
  title: Nullable(Name(255, { description: 'The title. Required to publish.' })),
  body: Nullable(
    Text(0, maxBodyBytes, {
      description:
        'The text in CommonMark with tables, up to 512 KiB. Required to publish. `![description](file:file_…)` shows a file; each must be `ready` and not attached to a message.',
    }),
  ),
  excerpt: Nullable(Text(1, 1000, { description: 'A summary in one or two sentences.' })),
  author_id: Nullable(Id('op'), { description: 'The operator who is named as the author.' }),
  tags: List(Text(1, 50), maxTags, {
    description: 'Tag names, case-insensitive; unknown tags are created.',
  }),
  translation_of_id: Nullable(Id('kba'), {
    description:
      'The original article of this translation; it must not be a translation itself. An article has at most one translation per locale. Takes effect without publishing.',
  }),
}

export const articleExample = {
  id: 'kba_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'kb_article',
  collection_id: 'kbc_01kah1vgm0e1tbm5ye8n2m9q7c',
  slug: 'card-declined',
  locale: 'en',
  title: 'Why was my card declined?',
  body: 'Most often, the **daily limit** of the card is reached. You can raise it in the app.',
  body_html:
    '<p>Most often, the <strong>daily limit</strong> of the card is reached. You can raise it in the app.</p>',
  excerpt: null,
  author_id: null,
  tags: ['cards'],
  translation_of_id: null,
  metadata: {},
  status: 'published',
  published_version: 1,
  published_at: '2026-11-20T09:30:00.000Z',
  publish_at: null,
  has_unpublished_changes: false,
  former_slugs: [],
  helpful_count: 7,
  unhelpful_count: 1,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:30:00.000Z',
  version: 2,
}

const particulars = {
  id: Id('kba'),
  object: Enum(['kb_article']),
  collection_id: fields.collection_id,
  slug: fields.slug,
  locale: fields.locale,
  title: fields.title,
  excerpt: fields.excerpt,
  author_id: fields.author_id,
  tags: List(Text(1, 50), maxTags, { description: 'The names of the tags.' }),
  translation_of_id: fields.translation_of_id,
  metadata: Metadata(),
  status: Enum(statuses, {
    description: 'The status. Only `published` articles have a published version.',
  }),
  published_version: Nullable(Int(1, 2147483647), {
    description: 'The number of the published version; null if there is none.',
  }),
  published_at: Nullable(Timestamp(), {
    description: 'The time at which the published version was published; null if there is none.',
  }),
  publish_at: publishAt,
  has_unpublished_changes: Flag({ description: 'Whether the draft differs from the published version.' }),
  former_slugs: List(Slug(), maxFormerSlugs, {
    description: 'Previous slugs, latest first. They lead to this article until another article takes them.',
  }),
  ...votes,
  ...revision,
}

/** The HTML with the addresses of its images. Rows that were read without their texts have none. */
export const shownHtml = ({ id, body_html }: Pick<Article, 'id' | 'body_html'>): string =>
  body_html &&
  withFileUrls(body_html, (fileId) => publicUrl(`/v1/kb/articles/${typeId('kba', id)}/files/${fileId}`))

const present = (row: Article) => ({
  id: typeId('kba', row.id),
  object: 'kb_article',
  collection_id: row.collection_id && typeId('kbc', row.collection_id),
  slug: row.slug,
  locale: row.locale,
  title: row.title,
  body: row.body,
  body_html: shownHtml(row),
  excerpt: row.excerpt,
  author_id: row.author_id && typeId('op', row.author_id),
  tags: [...new Set(row.tags.map(({ name }) => name))],
  translation_of_id: row.translation_of_id && typeId('kba', row.translation_of_id),
  metadata: row.metadata,
  status: row.status,
  published_version: row.published_version,
  published_at: row.published_at,
  publish_at: row.publish_at,
  has_unpublished_changes: row.has_unpublished_changes,
  former_slugs: row.former_slugs,
  helpful_count: row.helpful_count,
  unhelpful_count: row.unhelpful_count,
  created_at: row.created_at,
  updated_at: row.updated_at,
  version: row.version,
})

export const articleWire: RowWire<Article> = defineWire<Article>({
  name: 'KbArticle',
  schema: Shape({
    ...particulars,
    body: fields.body,
    body_html: Text(0, 2147483647, {
      description:
        'The body as sanitized HTML. Images of files have addresses that anybody can read while the published version shows them.',
    }),
  }),
  example: articleExample,
  present,
})

const { body: _, body_html: __, ...briefExample } = articleExample

/** The form of an article in search results and votes. */
export const briefArticleWire: RowWire<Article> = defineWire<Article>({
  name: 'KbArticleSummary',
  schema: Shape(particulars, {
    description: 'An article without its text. Search results show its published version.',
  }),
  example: briefExample,
  present,
})

/** The published version of an article; null if it has none. */
export const asServed = (row: Article): Article | null =>
  row.published && {
    ...row,
    ...row.published,
    body: row.published_body,
    body_html: row.published_body_html!,
    tags: row.published_tags,
  }

export const NewArticle = Shape({
  collection_id: Optional(fields.collection_id),
  slug: Optional(fields.slug),
  locale: Optional(
    KnownLanguage({
      description:
        'The language of the article as a BCP 47 tag. Defaults to the default language of the workspace, or else `en`.',
    }),
  ),
  title: Optional(fields.title),
  body: Optional(fields.body),
  excerpt: Optional(fields.excerpt),
  author_id: Optional(
    Nullable(Id('op'), { description: 'The author. Defaults to the operator in `Backline-Operator`.' }),
  ),
  tags: Optional(fields.tags),
  translation_of_id: Optional(fields.translation_of_id),
  metadata: Optional(Metadata()),
})
export type NewArticle = Members<typeof NewArticle>

export const ArticlePatch = PartialShape({
  ...fields,
  publish_at: Nullable(Timestamp(), {
    description: 'The time at which to publish the draft; null cancels a scheduled publication.',
  }),
  metadata: MetadataPatch(),
})
export type ArticlePatch = Members<typeof ArticlePatch>

export const views = ['draft', 'published'] as const

export const View = Shape({
  view: Optional(
    Enum(views, {
      default: 'draft',
      description: 'Return the draft or the published version (404 if there is none).',
    }),
  ),
})

export const ArticleFilters = Shape({
  view: Optional(
    Enum(views, {
      default: 'draft',
      description:
        'Return drafts of all articles, or only published versions. Filters apply to the selected view.',
    }),
  ),
  collection_id: Optional(
    Id('kbc', {
      description: 'Return only articles in this collection, without those of its subcollections.',
    }),
  ),
  status: Optional(Enum(statuses, { description: 'Return only articles with this status.' })),
  locale: Optional(
    Language({ description: 'Return only articles in exactly this language, regardless of case.' }),
  ),
  tag: Optional(
    Text(1, 50, { description: 'Return only articles with the tag of this name, regardless of case.' }),
  ),
  slug: Optional(
    Slug({
      description:
        'Return the article with this slug, or else the one that had it last. In the latter case, the slug is in `former_slugs` of the article.',
    }),
  ),
})
export type ArticleFilters = Members<typeof ArticleFilters>

export const Publication = Shape({
  publish_at: Optional(
    Nullable(Timestamp(), {
      description:
        'The time at which to publish the draft, in its state at that time. Defaults to immediately.',
    }),
  ),
})
export type Publication = Members<typeof Publication>

export const Restoration = Shape({ version: Int(1, 2147483647, { description: 'The version to restore.' }) })
export type Restoration = Members<typeof Restoration>

export const versionWire = defineWire<Version>({
  name: 'KbArticleVersion',
  schema: Shape({
    version: Int(1, 2147483647, { description: 'Starts at 1 and increases with each publication.' }),
    title: Name(255, { description: 'The title of the version.' }),
    body: Text(1, maxBodyBytes, { description: 'The text of the version as Markdown.' }),
    published_at: Timestamp({ description: 'The time of publication.' }),
    published_by: Actor({ description: 'The actor that published or scheduled the version.' }),
  }),
  example: {
    version: 1,
    title: articleExample.title,
    body: articleExample.body,
    published_at: articleExample.published_at,
    published_by: { type: 'api_key', id: 'key_01kah1vgm0e1tbm5ye8n2m9q7c', operator_id: null },
  },
  present: (row) => row,
})
