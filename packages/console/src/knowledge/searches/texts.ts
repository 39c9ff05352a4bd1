import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Searches', de: 'Suchen' },
  intro: {
    en: 'What readers searched for in articles and FAQs in the last 90 days. A search that found nothing may be an article to write.',
    de: 'Wonach in den letzten 90 Tagen in Artikeln und FAQs gesucht wurde. Eine Suche ohne Treffer kann ein Artikel sein, der fehlt.',
  },
  which: { en: 'Which searches', de: 'Welche Suchen' },
  foundNothing: { en: 'Found nothing', de: 'Ohne Treffer' },
  all: { en: 'All searches', de: 'Alle Suchen' },
  noLocale: { en: 'Any', de: 'Beliebig' },
  query: { en: 'Searched for', de: 'Gesucht' },
  searches: { en: 'Searches', de: 'Suchen' },
  nothing: { en: 'Found nothing', de: 'Ohne Treffer' },
  last: { en: 'Last searched', de: 'Zuletzt gesucht' },
  write: { en: 'Write an article', de: 'Artikel schreiben' },
  writeOn: {
    en: (query: string) => `Write an article: ${query}`,
    de: (query: string) => `Artikel schreiben: ${query}`,
  },
  none: { en: 'No searches yet', de: 'Noch keine Suchen' },
  noneHint: {
    en: 'Searches of your help center appear here within seconds. Those of operators are not counted, nor those with e-mail addresses or long numbers.',
    de: 'Suchen im Hilfebereich erscheinen hier nach Sekunden. Nicht gezählt werden die des Teams und solche mit E-Mail-Adressen oder langen Nummern.',
  },
  nothingMissing: { en: 'Every search found something', de: 'Jede Suche hatte Treffer' },
  nothingMissingHint: {
    en: 'Searches appear here when the last one for the same words found nothing.',
    de: 'Suchen erscheinen hier, wenn die letzte mit denselben Wörtern keinen Treffer hatte.',
  },
  showAll: { en: 'Show all searches', de: 'Alle Suchen zeigen' },
})
