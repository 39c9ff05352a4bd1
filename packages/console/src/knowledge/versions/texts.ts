import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  versions: { en: 'Versions', de: 'Versionen' },
  intro: {
    en: 'Each publication is kept as a version. Compare any two of them, or the draft.',
    de: 'Jede Veröffentlichung bleibt als Version erhalten. Vergleiche zwei davon oder den Entwurf.',
  },
  none: { en: 'This article was never published', de: 'Dieser Artikel wurde nie veröffentlicht' },
  noneHint: {
    en: 'The first version is created when it is published.',
    de: 'Die erste Version entsteht bei der Veröffentlichung.',
  },
  back: { en: 'Back to the article', de: 'Zurück zum Artikel' },
  version: { en: (number: string) => `Version ${number}`, de: (number: string) => `Version ${number}` },
  current: { en: 'Readers see it', de: 'Aktuell zu lesen' },
  publishedBy: { en: 'By', de: 'Von' },
  before: { en: 'Compare', de: 'Vergleiche' },
  after: { en: 'with', de: 'mit' },
  comparison: { en: 'Comparison', de: 'Vergleich' },
  restoreOf: {
    en: (number: string) => `Restore version ${number}`,
    de: (number: string) => `Version ${number} wiederherstellen`,
  },
  restoreHint: {
    en: 'Its title, summary and text become the draft. What readers see stays until you publish. Unpublished changes of the draft are lost.',
    de: 'Titel, Zusammenfassung und Text werden zum Entwurf. Was zu lesen ist, bleibt bis zur Veröffentlichung. Unveröffentlichte Änderungen des Entwurfs gehen verloren.',
  },
  restored: {
    en: (number: string) => `Version ${number} is the draft now`,
    de: (number: string) => `Version ${number} ist jetzt der Entwurf`,
  },
  notRestored: { en: 'The version was not restored', de: 'Die Version wurde nicht wiederhergestellt' },
})
