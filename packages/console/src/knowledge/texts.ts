import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  knowledge: { en: 'Knowledge', de: 'Wissen' },
  searches: { en: 'Searches', de: 'Suchen' },
})
