import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Fill the test environment', de: 'Testumgebung füllen' },
  group: { en: 'Test environment', de: 'Testumgebung' },
  intro: {
    en: 'Creates the support desk of an invented company: departments, operators, categories, macros, SLA configs, articles and 300 conversations. Running it again creates only what is missing.',
    de: 'Legt den Support einer erfundenen Firma an: Abteilungen, Team, Kategorien, Makros, SLA-Konfigurationen, Artikel und 300 Konversationen. Ein weiterer Lauf legt nur an, was fehlt.',
  },
  start: { en: 'Fill it', de: 'Füllen' },
  stop: { en: 'Stop', de: 'Anhalten' },
  desk: { en: 'Setting up the desk…', de: 'Der Support wird eingerichtet …' },
  progress: {
    en: (done: string, total: string) => `${done} of ${total} conversations`,
    de: (done: string, total: string) => `${done} von ${total} Konversationen`,
  },
  done: { en: 'The test environment is filled', de: 'Die Testumgebung ist gefüllt' },
  failed: {
    en: 'The test environment could not be filled',
    de: 'Die Testumgebung konnte nicht gefüllt werden',
  },
})
