import { defineTexts } from '../../../texts/define.ts'

export const privacyTexts = defineTexts({
  exportPerson: { en: 'Export this person’s data', de: 'Daten dieser Person exportieren' },
  exportStarted: { en: 'The export has begun', de: 'Der Export hat begonnen' },
  exportFailed: { en: 'The export was not started', de: 'Der Export wurde nicht begonnen' },
  showJob: { en: 'Show it', de: 'Anzeigen' },
  legalHold: { en: 'Legal hold', de: 'Aufbewahrungssperre' },
  setHold: { en: 'Set a legal hold…', de: 'Aufbewahrungssperre setzen …' },
  endHold: { en: 'End the legal hold', de: 'Aufbewahrungssperre aufheben' },
  holdTitle: { en: 'Set a legal hold', de: 'Aufbewahrungssperre setzen' },
  holdHint: {
    en: 'Until it ends, nothing of this person is erased or deleted, also by retention policies.',
    de: 'Solange sie gilt, wird nichts von dieser Person gelöscht, auch nicht durch Aufbewahrungsregeln.',
  },
  holdReasonHint: { en: 'Such as the reference of a case.', de: 'Zum Beispiel ein Aktenzeichen.' },
  holdSet: { en: 'The legal hold is set', de: 'Die Aufbewahrungssperre ist gesetzt' },
  holdEnded: { en: 'The legal hold has ended', de: 'Die Aufbewahrungssperre ist aufgehoben' },
  holdFailed: { en: 'The legal hold was not changed', de: 'Die Aufbewahrungssperre wurde nicht geändert' },
  erase: { en: 'Erase…', de: 'Löschen …' },
  eraseTitle: { en: (name: string) => `Erase ${name}?`, de: (name: string) => `${name} löschen?` },
  eraseAction: { en: 'Erase for good', de: 'Endgültig löschen' },
  anonymise: { en: 'Anonymise', de: 'Anonymisieren' },
  anonymiseHint: {
    en: 'The person and all they wrote are erased; their conversations stay, with what your team wrote.',
    de: 'Die Person und alles, was sie schrieb, werden gelöscht; die Konversationen bleiben mit dem, was das Team schrieb.',
  },
  deleteAll: { en: 'Delete with conversations', de: 'Mit Konversationen löschen' },
  deleteAllHint: {
    en: 'Their conversations are deleted, too.',
    de: 'Auch die Konversationen werden gelöscht.',
  },
  how: { en: 'How', de: 'Wie' },
  reaches: { en: 'What it reaches', de: 'Was es betrifft' },
  counting: { en: 'It is being counted…', de: 'Es wird gezählt …' },
  countFailed: { en: 'It could not be counted', de: 'Es ließ sich nicht zählen' },
  typeName: {
    en: (name: string) => `Type “${name}” to confirm`,
    de: (name: string) => `Gib zur Bestätigung „${name}“ ein`,
  },
  notSame: { en: 'This is not the name', de: 'Das ist nicht der Name' },
  noUndo: { en: 'This cannot be undone.', de: 'Das lässt sich nicht rückgängig machen.' },
  eraseFailed: { en: 'The person was not erased', de: 'Die Person wurde nicht gelöscht' },
})
