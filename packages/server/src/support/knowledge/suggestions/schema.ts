import { Enum, Nullable, Shape } from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import type { Faq } from '../faqs/queries.ts'
import { faqWire } from '../faqs/schema.ts'
import type { Article } from '../kb/articles/queries.ts'
import { briefArticleWire } from '../kb/articles/schema.ts'
import { Score } from '../kb/search/schema.ts'

export type Fitting =
  | { type: 'kb_article'; article: Article; faq: null }
  | { type: 'faq'; article: null; faq: Faq }

/** A suggestion for a conversation; `id` is that of the article or FAQ, `rank` the score as a whole number. */
export type Suggestion = Fitting & { id: string; rank: number }

export const suggestionWire = defineWire<Suggestion>({
  name: 'Suggestion',
  schema: Shape({
    type: Enum(['kb_article', 'faq'], { description: 'Which of `article` and `faq` is set.' }),
    article: Nullable(briefArticleWire.schema, { description: 'The article as published, or null.' }),
    faq: Nullable(faqWire.schema, { description: 'The FAQ, or null.' }),
    score: Score(),
  }),
  example: { type: 'kb_article', article: briefArticleWire.example, faq: null, score: 0.78 },
  present: ({ type, article, faq, rank }) => ({
    type,
    article: article && briefArticleWire.present(article),
    faq: faq && faqWire.present(faq),
    score: rank / 10_000,
  }),
})
