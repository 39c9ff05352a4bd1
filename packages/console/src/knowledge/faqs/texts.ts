import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  intro: {
    en: 'Questions with short answers, in the order in which readers see them.',
    de: 'Fragen mit kurzen Antworten, in der Reihenfolge, in der sie zu lesen sind.',
  },
  faq: { en: 'FAQ', de: 'FAQ' },
  newFaq: { en: 'New FAQ', de: 'Neue FAQ' },
  none: { en: 'There are no FAQs yet', de: 'Es gibt noch keine FAQs' },
  noneHint: {
    en: 'Start with a question that a short answer settles.',
    de: 'Beginne mit einer Frage, die eine kurze Antwort klärt.',
  },
  noMatch: { en: 'No FAQ matches', de: 'Keine FAQ passt' },
  search: { en: 'Search FAQs', de: 'FAQs suchen' },
  allStates: { en: 'All but archived', de: 'Alle außer archivierten' },
  moveUp: { en: (name: string) => `Move up: ${name}`, de: (name: string) => `Nach oben: ${name}` },
  moveDown: { en: (name: string) => `Move down: ${name}`, de: (name: string) => `Nach unten: ${name}` },
  moved: {
    en: (place: string, all: string) => `Moved to place ${place} of ${all}`,
    de: (place: string, all: string) => `Jetzt auf Platz ${place} von ${all}`,
  },
  notMoved: { en: 'The order was not changed', de: 'Die Reihenfolge wurde nicht geändert' },
  orderHint: {
    en: 'Alt and an arrow key moves the focused FAQ.',
    de: 'Alt und eine Pfeiltaste verschiebt die FAQ mit dem Fokus.',
  },
  orderCut: {
    en: 'There are too many FAQs to order them here.',
    de: 'Es sind zu viele FAQs, um sie hier zu ordnen.',
  },
  question: { en: 'Question', de: 'Frage' },
  answer: { en: 'Answer', de: 'Antwort' },
  answerHint: { en: 'A short answer in Markdown', de: 'Eine kurze Antwort in Markdown' },
  article: { en: 'Article with more', de: 'Artikel mit mehr dazu' },
  noArticle: { en: 'No article', de: 'Kein Artikel' },
  previewEmpty: { en: 'The preview appears as you write', de: 'Die Vorschau erscheint beim Schreiben' },
  notShownYet: {
    en: 'Readers see your changes as soon as you save.',
    de: 'Deine Änderungen sind zu lesen, sobald du speicherst.',
  },
  create: { en: 'Create draft', de: 'Entwurf anlegen' },
  save: { en: 'Save and show', de: 'Speichern und zeigen' },
  discard: { en: 'Discard changes', de: 'Änderungen verwerfen' },
  unpublish: { en: 'Back to draft', de: 'Zurück zum Entwurf' },
  archiveTitle: { en: 'Archive this FAQ?', de: 'Diese FAQ archivieren?' },
  archiveHint: {
    en: 'It is no longer shown or suggested. It can be taken out of the archive again.',
    de: 'Sie wird nicht mehr gezeigt oder vorgeschlagen. Sie lässt sich wieder aus dem Archiv holen.',
  },
  deleteTitle: { en: 'Delete this FAQ for good?', de: 'Diese FAQ endgültig löschen?' },
  deleteHint: { en: 'Its votes are deleted too.', de: 'Auch ihre Bewertungen werden gelöscht.' },
  notFound: { en: 'There is no such FAQ', de: 'Diese FAQ gibt es nicht' },
  saveNow: { en: 'Save now', de: 'Jetzt speichern' },
})
