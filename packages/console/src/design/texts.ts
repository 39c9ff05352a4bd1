import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'

export const texts = defineTexts({
  copy: { en: 'Copy', de: 'Kopieren' },
  copyOf: { en: (what: string) => `Copy: ${what}`, de: (what: string) => `Kopieren: ${what}` },
  copyFailed: {
    en: 'The browser refused to copy. Select the text and copy it yourself.',
    de: 'Der Browser hat das Kopieren verweigert. Markiere den Text und kopiere ihn selbst.',
  },
  found: {
    en: (count: number) => plural('en', count, { one: '# result', other: '# results' }),
    de: (count: number) => plural('de', count, { one: '# Treffer', other: '# Treffer' }),
  },
  widthOf: { en: (what: string) => `Width: ${what}`, de: (what: string) => `Breite: ${what}` },
  loadMore: { en: 'Load more', de: 'Mehr laden' },
  loading: { en: 'Loading', de: 'Wird geladen' },
  failed: { en: 'This could not be loaded', de: 'Das konnte nicht geladen werden' },
  missing: { en: 'Fill this in.', de: 'Fülle das aus.' },
  notChosen: { en: 'Choose one.', de: 'Wähle etwas aus.' },
  noNumber: { en: 'Write a number.', de: 'Gib eine Zahl ein.' },
  noWhole: { en: 'Write a whole number.', de: 'Gib eine ganze Zahl ein.' },
  noEmail: {
    en: 'Write an e-mail address, such as ada@example.com.',
    de: 'Gib eine E-Mail-Adresse ein, zum Beispiel ada@example.com.',
  },
  noUrl: {
    en: 'Write an address with https://, such as https://example.com.',
    de: 'Gib eine Adresse mit https:// ein, zum Beispiel https://example.com.',
  },
  atLeast: { en: (least: string) => `The least is ${least}.`, de: (least: string) => `Mindestens ${least}.` },
  atMost: { en: (most: string) => `The most is ${most}.`, de: (most: string) => `Höchstens ${most}.` },
  broken: { en: 'This part of the page has failed', de: 'Dieser Teil der Seite ist ausgefallen' },
  brokenMore: {
    en: 'It is a fault of the console. Everything else goes on.',
    de: 'Das ist ein Fehler der Konsole. Alles andere läuft weiter.',
  },
})
