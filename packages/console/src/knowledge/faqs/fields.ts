import type { Faq } from '@backline/sdk'

export type FaqFields = {
  question: string
  answer: string
  locale: string
  category_id: string | null
  kb_article_id: string | null
  tags: string[]
}

export const fieldsOf = (faq: Faq): FaqFields => ({
  question: faq.question,
  answer: faq.answer,
  locale: faq.locale,
  category_id: faq.category_id,
  kb_article_id: faq.kb_article_id,
  tags: faq.tags,
})
