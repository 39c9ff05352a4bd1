import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  loading: { en: 'Loading', de: 'Wird geladen' },
  failed: { en: 'This could not be loaded', de: 'Das konnte nicht geladen werden' },
  broken: { en: 'This part of the page has failed', de: 'Dieser Teil der Seite ist ausgefallen' },
  brokenMore: {
    en: 'It is a fault of the console. Everything else goes on.',
    de: 'Das ist ein Fehler der Konsole. Alles andere läuft weiter.',
  },
})
