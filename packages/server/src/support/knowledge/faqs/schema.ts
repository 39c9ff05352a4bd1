import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  DistinctIds,
  Enum,
  Id,
  Int,
  KnownLanguage,
  Language,
  List,
  type Members,
  Name,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  votes,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { Query } from '../../../platform/search/parameter.ts'
import type { Faq } from './queries.ts'

const maxTags = 50
export const maxAnswerLength = 65_536
/** In UTF-8 a character has up to four bytes. */
export const maxAnswerBytes = 4 * maxAnswerLength
export const maxReordered = 500

const statuses = ['draft', 'published'] as const

const Position = (notes: { default?: number } = {}) =>
  Int(0, 2147483647, { description: 'Sort position; lists begin with the lowest.', ...notes })

const fields = {
  question: Name(500, { description: 'The question, in the words of end users.' }),
  answer: Name(maxAnswerLength, { description: 'The answer in CommonMark with tables.' }),
  locale: KnownLanguage({ description: 'The language of the FAQ as a BCP 47 tag.' }),
  category_id: Nullable(Id('cat'), { description: 'The category of conversations that the FAQ belongs to.' }),
  kb_article_id: Nullable(Id('kba'), { description: 'An article with more information.' }),
  position: Position(),
  status: Enum(statuses, { description: 'The status. Only published FAQs appear in suggestions.' }),
  tags: List(Text(1, 50), maxTags, {
    description: 'Tag names, case-insensitive; unknown tags are created.',
  }),
}

export const faqExample = {
  id: 'faq_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'faq',
  question: 'Why was my card declined?',
  answer: 'Most often, the **daily limit** of the card is reached. You can raise it in the app.',
  answer_html:
    '<p>Most often, the <strong>daily limit</strong> of the card is reached. You can raise it in the app.</p>',
  locale: 'en',
  category_id: null,
  kb_article_id: null,
  position: 10,
  status: 'published' as const,
  tags: ['cards'],
  archived: false,
  helpful_count: 7,
  unhelpful_count: 1,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const faqWire = defineWire<Faq>({
  name: 'Faq',
  schema: Shape({
    id: Id('faq'),
    object: Enum(['faq']),
    ...fields,
    tags: List(Text(1, 50), maxTags, { description: 'The names of the tags.' }),
    answer_html: Text(0, 2147483647, { description: 'The answer as sanitized HTML.' }),
    archived: Archived(),
    ...votes,
    ...revision,
  }),
  example: faqExample,
  present: (row) => ({
    ...row,
    id: typeId('faq', row.id),
    object: 'faq',
    category_id: row.category_id && typeId('cat', row.category_id),
    kb_article_id: row.kb_article_id && typeId('kba', row.kb_article_id),
    tags: [...new Set(row.tags.map(({ name }) => name))],
  }),
})

export const NewFaq = Shape({
  question: fields.question,
  answer: fields.answer,
  locale: Optional(
    KnownLanguage({
      description:
        'The language of the FAQ as a BCP 47 tag. Defaults to the default language of the workspace, or else `en`.',
    }),
  ),
  category_id: Optional(fields.category_id),
  kb_article_id: Optional(fields.kb_article_id),
  position: Optional(Position({ default: 0 })),
  status: Optional(
    Enum(statuses, {
      default: 'draft',
      description: 'The status. Only published FAQs appear in suggestions.',
    }),
  ),
  tags: Optional(fields.tags),
  archived: Optional(Archived({ default: false })),
})
export type NewFaq = Members<typeof NewFaq>

export const FaqPatch = PartialShape({ ...fields, archived: Archived() })
export type FaqPatch = Members<typeof FaqPatch>

export const FaqFilters = Shape({
  q: Query(
    'Words to search for. Best matches come first, regardless of `sort`. The last word may be incomplete, and misspellings are tolerated.',
  ),
  status: Optional(Enum(statuses, { description: 'Return only FAQs with this status.' })),
  locale: Optional(
    Language({ description: 'Return only FAQs in exactly this language, regardless of case.' }),
  ),
  category_id: Optional(Id('cat', { description: 'Return only FAQs of this category.' })),
  kb_article_id: Optional(Id('kba', { description: 'Return only FAQs that refer to this article.' })),
  tag: Optional(
    Text(1, 50, { description: 'Return only FAQs with the tag of this name, regardless of case.' }),
  ),
})

export const FaqOrder = Shape({
  ids: DistinctIds('faq', maxReordered, {
    minItems: 1,
    description:
      'The FAQs to reorder. Their positions become 0, 1, 2 and so on; other FAQs keep their positions.',
  }),
})
