import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  knowledge: { en: 'Knowledge', de: 'Wissen' },
  articles: { en: 'Articles', de: 'Artikel' },
  faqs: { en: 'FAQs', de: 'FAQs' },
  helpful: { en: 'Votes', de: 'Bewertungen' },
  searches: { en: 'Searches', de: 'Suchen' },
  noPage: { en: 'There is no such page', de: 'Diese Seite gibt es nicht' },
})
