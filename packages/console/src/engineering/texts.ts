import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Engineering', de: 'Technik' },
  overview: { en: 'Overview', de: 'Überblick' },
  events: { en: 'Events', de: 'Ereignisse' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  keys: { en: 'Keys and sessions', de: 'Schlüssel und Sitzungen' },
  audit: { en: 'Audit log', de: 'Prüfprotokoll' },
  clock: { en: 'Test clock', de: 'Testuhr' },
  notFound: { en: 'There is no such page', de: 'Diese Seite gibt es nicht' },
})
