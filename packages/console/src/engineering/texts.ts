import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Engineering', de: 'Technik' },
  overview: { en: 'Overview', de: 'Überblick' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  keys: { en: 'Keys and sessions', de: 'Schlüssel und Sitzungen' },
  audit: { en: 'Audit log', de: 'Prüfprotokoll' },
})
