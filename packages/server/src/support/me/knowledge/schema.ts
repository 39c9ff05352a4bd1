import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  Language,
  Name,
  Nullable,
  Optional,
  Shape,
  Slug,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { Query } from '../../../platform/search/parameter.ts'
import type { ListedFaq } from '../../knowledge/faqs/finding.ts'
import type { Article } from '../../knowledge/kb/articles/queries.ts'
import { shownHtml } from '../../knowledge/kb/articles/schema.ts'
import { type Hit, hitWire, Score } from '../../knowledge/kb/search/schema.ts'

const brief = {
  id: Id('kba'),
  object: Enum(['kb_article']),
  slug: Slug({ description: 'The URL segment of the article.' }),
  locale: Language({ description: 'The language of the article as a BCP 47 tag.' }),
  title: Name(255, { description: 'The title.' }),
  excerpt: Nullable(Text(1, 1000, { description: 'A summary in one or two sentences.' })),
  collection_id: Nullable(Id('kbc'), {
    description: 'The collection of the article; null if it is in none.',
  }),
  updated_at: Timestamp({ description: 'The time at which this version was published.' }),
  helpful_count: Int(0, 2147483647, { description: 'The number of end users who found it helpful.' }),
}

const briefExample = {
  id: 'kba_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'kb_article',
  slug: 'card-declined',
  locale: 'en',
  title: 'Why was my card declined?',
  excerpt: null,
  collection_id: 'kbc_01kah1vgm0e1tbm5ye8n2m9q7c',
  updated_at: '2026-11-20T09:30:00.000Z',
  helpful_count: 7,
}

/** The draft may have changed since: its time is not shown. */
const presentBrief = (row: Article) => ({
  id: typeId('kba', row.id),
  object: 'kb_article',
  slug: row.slug,
  locale: row.locale,
  title: row.title,
  excerpt: row.excerpt,
  collection_id: row.collection_id && typeId('kbc', row.collection_id),
  updated_at: row.published_at,
  helpful_count: row.helpful_count,
})

/** A published article. */
export const meArticleWire = defineWire<Article>({
  name: 'MeArticle',
  schema: Shape({
    ...brief,
    body_html: Text(0, 2147483647, { description: 'The text as sanitized HTML.' }),
  }),
  example: {
    ...briefExample,
    body_html:
      '<p>Most often, the <strong>daily limit</strong> of the card is reached. You can raise it in the app.</p>',
  },
  present: (row) => ({ ...presentBrief(row), body_html: shownHtml(row) }),
})

export const meHitWire = defineWire<Hit>({
  name: 'MeSearchResult',
  schema: Shape({
    article: Shape(brief, { description: 'The article without its text.' }),
    snippet: Text(0, 10_000, {
      description: 'An excerpt around the match as escaped HTML, with matching words in `<mark>`.',
    }),
    score: Score(),
  }),
  example: { ...(hitWire.example as object), article: briefExample },
  present: ({ article, snippet, score }) => ({ article: presentBrief(article), snippet, score }),
})

export const meFaqWire = defineWire<ListedFaq>({
  name: 'MeFaq',
  schema: Shape({
    id: Id('faq'),
    object: Enum(['faq']),
    locale: Language({ description: 'The language of the FAQ as a BCP 47 tag.' }),
    question: Name(500, { description: 'The question.' }),
    answer_html: Text(0, 2147483647, { description: 'The answer as sanitized HTML.' }),
    updated_at: Timestamp({ description: 'The time of the last change.' }),
    helpful_count: brief.helpful_count,
  }),
  example: {
    id: 'faq_01kah1vgm0e1tbm5ye8n2m9q7c',
    object: 'faq',
    locale: 'en',
    question: 'Why was my card declined?',
    answer_html: '<p>Most often, the <strong>daily limit</strong> of the card is reached.</p>',
    updated_at: '2026-11-20T09:00:00.000Z',
    helpful_count: 7,
  },
  present: (row) => ({
    id: typeId('faq', row.id),
    object: 'faq',
    locale: row.locale,
    question: row.question,
    answer_html: row.answer_html,
    updated_at: row.updated_at,
    helpful_count: row.helpful_count,
  }),
})

export const MeArticleFilters = Shape({
  collection_id: Optional(
    Id('kbc', {
      description: 'Return only articles in this collection, without those of its subcollections.',
    }),
  ),
  locale: Optional(
    Language({ description: 'Return only articles in exactly this language, regardless of case.' }),
  ),
})

export const MeFaqFilters = Shape({
  q: Query(
    'Words to search for. Best matches come first, regardless of `sort`. The last word may be incomplete, and misspellings are tolerated.',
  ),
  locale: Optional(
    Language({ description: 'Return only FAQs in exactly this language, regardless of case.' }),
  ),
})
