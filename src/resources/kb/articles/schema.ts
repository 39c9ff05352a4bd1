import {
  Enum,
  Flag,
  Id,
  Int,
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
} from '../../../http/schema.ts'
import { defineWire, type RowWire } from '../../../http/wire.ts'
import { typeId } from '../../../lib/ids.ts'
import { statuses } from './lifecycle.ts'
import type { Article, Version } from './queries.ts'

export const maxBodyBytes = 512 * 1024
export const maxTags = 50
export const maxFormerSlugs = 50

const publishAt = Nullable(Timestamp(), {
  description: 'When the draft will be published, as it is at that moment.',
})

const fields = {
  collection_id: Nullable(Id('kbc')),
  slug: Slug({
    description:
      'Its part of an address. No two articles hold one slug in one locale at a time, drafts included.',
  }),
  locale: Language({ description: 'BCP 47.' }),
  title: Nullable(Name(255, { description: 'Needed to publish.' })),
  body: Nullable(
    Text(0, maxBodyBytes, { description: 'CommonMark with tables, up to 512 KiB. Needed to publish.' }),
  ),
  excerpt: Nullable(Text(1, 1000, { description: 'What it is about, in a sentence or two.' })),
  author_id: Nullable(Id('op')),
  tags: List(Text(1, 50), maxTags, {
    description: 'Names, without regard to case; unknown ones become tags.',
  }),
  translation_of_id: Nullable(Id('kba'), {
    description:
      'The article that this is a translation of, itself no translation. Each has one in a locale. Holds at once, without publishing.',
  }),
}

export const articleExample = {
  id: 'kba_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'kb_article',
  collection_id: 'kbc_01kah1vgm0e1tbm5ye8n2m9q7c',
  slug: 'card-declined',
  locale: 'en',
  title: 'Why was my card declined?',
  body: 'Most often the **limit** is reached.',
  body_html: '<p>Most often the <strong>limit</strong> is reached.</p>',
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
  tags: fields.tags,
  translation_of_id: fields.translation_of_id,
  metadata: Metadata(),
  status: Enum(statuses),
  published_version: Nullable(Int(1, 2147483647), { description: 'The version that is served.' }),
  published_at: Nullable(Timestamp(), { description: 'When that was published.' }),
  publish_at: publishAt,
  has_unpublished_changes: Flag({ description: 'Is the draft another one than what is served?' }),
  former_slugs: List(Slug(), maxFormerSlugs, {
    description:
      'Slugs that it had before, the latest first. They find it as long as nobody else takes them.',
  }),
  helpful_count: Int(0, 2147483647),
  unhelpful_count: Int(0, 2147483647),
  ...revision,
}

const present = (row: Article) => ({
  id: typeId('kba', row.id),
  object: 'kb_article',
  collection_id: row.collection_id && typeId('kbc', row.collection_id),
  slug: row.slug,
  locale: row.locale,
  title: row.title,
  body: row.body,
  body_html: row.body_html,
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
    body_html: Text(0, 2147483647, { description: 'The body as HTML, sanitised.' }),
  }),
  example: articleExample,
  present,
})

const { body: _, body_html: __, ...briefExample } = articleExample

/** An article as searches show it. */
export const briefArticleWire: RowWire<Article> = defineWire<Article>({
  name: 'KbArticleSummary',
  schema: Shape(particulars, { description: 'A published article as it is served, without its text.' }),
  example: briefExample,
  present,
})

/** The article as it is served; null while it is not. */
export const asServed = (row: Article): Article | null =>
  row.published && {
    ...row,
    ...row.published,
    body: row.published_body,
    body_html: row.published_body_html!,
    tags: row.published_tags,
    former_slugs: row.former_slugs.filter((slug) => slug !== row.published!.slug),
  }

export const NewArticle = Shape({
  collection_id: Optional(fields.collection_id),
  slug: Optional(fields.slug),
  locale: Optional(
    Language({ description: 'BCP 47; the default language of the workspace, or else `en`, when left out.' }),
  ),
  title: Optional(fields.title),
  body: Optional(fields.body),
  excerpt: Optional(fields.excerpt),
  author_id: Optional(Nullable(Id('op'), { description: 'The one in `Backline-Operator` when left out.' })),
  tags: Optional(fields.tags),
  translation_of_id: Optional(fields.translation_of_id),
  metadata: Optional(Metadata()),
})
export type NewArticle = Members<typeof NewArticle>

export const ArticlePatch = PartialShape({
  ...fields,
  publish_at: Nullable(Timestamp(), {
    description: 'Another time for a publication; null takes it back.',
  }),
  metadata: MetadataPatch(),
})
export type ArticlePatch = Members<typeof ArticlePatch>

export const views = ['draft', 'published'] as const

export const View = Shape({
  view: Optional(
    Enum(views, { default: 'draft', description: 'The draft, or what is served (404 while nothing is).' }),
  ),
})

export const ArticleFilters = Shape({
  view: Optional(
    Enum(views, {
      default: 'draft',
      description: 'Drafts of all articles, or published ones as they are served; filters go by that, too.',
    }),
  ),
  collection_id: Optional(Id('kbc')),
  status: Optional(Enum(statuses)),
  locale: Optional(Language()),
  tag: Optional(Text(1, 50, { description: "A tag's name." })),
  slug: Optional(
    Slug({
      description:
        'The article that has it, or else the one that had it last: then its `slug` is another one, and this one of its `former_slugs`.',
    }),
  ),
})
export type ArticleFilters = Members<typeof ArticleFilters>

export const Publication = Shape({
  publish_at: Optional(
    Nullable(Timestamp(), { description: 'Not at once, but then: the draft as it is at that moment.' }),
  ),
})
export type Publication = Members<typeof Publication>

export const Restoration = Shape({ version: Int(1, 2147483647, { description: 'A former version.' }) })
export type Restoration = Members<typeof Restoration>

export const Feedback = Shape({
  helpful: Flag(),
  external_user_id: Text(1, 255, { description: "The end user's id in your system; each has one vote." }),
})

export const versionWire = defineWire<Version>({
  name: 'KbArticleVersion',
  schema: Shape({
    version: Int(1, 2147483647, { description: 'From 1, one more with each publication.' }),
    title: Name(255),
    body: Text(1, maxBodyBytes),
    published_at: Timestamp(),
    published_by: Shape(
      {
        type: Enum(['api_key', 'system']),
        id: Nullable(Text(1, 64)),
        operator_id: Nullable(Id('op')),
      },
      { description: 'Who published it, or appointed that.' },
    ),
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
