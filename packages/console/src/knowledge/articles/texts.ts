import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  intro: {
    en: 'What end users find in your help center, and what your team suggests in conversations.',
    de: 'Was im Hilfebereich zu finden ist und was das Team in Konversationen vorschlägt.',
  },
  newArticle: { en: 'New article', de: 'Neuer Artikel' },
  search: { en: 'Search articles', de: 'Artikel suchen' },
  allStates: { en: 'All but archived', de: 'Alle außer archivierten' },
  tag: { en: 'Tag', de: 'Tag' },
  allTags: { en: 'All tags', de: 'Alle Tags' },
  noCollection: { en: 'No collection', de: 'Keine Sammlung' },
  votes: { en: 'Helpful', de: 'Hilfreich' },
  votesOf: {
    en: (helpful: string, all: string) => `${helpful} of ${all}`,
    de: (helpful: string, all: string) => `${helpful} von ${all}`,
  },
  none: { en: 'There are no articles yet', de: 'Es gibt noch keine Artikel' },
  noneHint: {
    en: 'Write the answer to the question that you hear most often.',
    de: 'Schreibe die Antwort auf die Frage, die du am häufigsten hörst.',
  },
  noMatch: { en: 'No article matches', de: 'Kein Artikel passt' },
  count: {
    en: (shown: string, all: string) => `${shown} of ${all} articles`,
    de: (shown: string, all: string) => `${shown} von ${all} Artikeln`,
  },
  loadingMore: { en: 'Loading more…', de: 'Weitere werden geladen …' },
  cut: {
    en: (most: string) => `Only the ${most} newest articles are listed. Use the search for older ones.`,
    de: (most: string) => `Nur die ${most} neuesten Artikel stehen hier. Ältere findet die Suche.`,
  },
  more: { en: 'Show more', de: 'Mehr zeigen' },
  collections: { en: 'Collections', de: 'Sammlungen' },
  allCollections: { en: 'All articles', de: 'Alle Artikel' },
  newCollection: { en: 'New collection', de: 'Neue Sammlung' },
  newInside: { en: 'New collection inside', de: 'Neue Sammlung darin' },
  edit: { en: 'Rename or move', de: 'Umbenennen oder verschieben' },
  deleteHint: {
    en: 'An empty collection can be deleted for good. If articles or collections are in it, archive it instead.',
    de: 'Eine leere Sammlung lässt sich endgültig löschen. Enthält sie Artikel oder Sammlungen, archiviere sie.',
  },
  archivedMark: { en: 'archived', de: 'archiviert' },
  slug: { en: 'Address part', de: 'Adressteil' },
  slugHint: { en: 'Made from the name if empty.', de: 'Wird aus dem Namen gebildet, wenn leer.' },
  slugTitleHint: { en: 'Made from the title if empty.', de: 'Wird aus dem Titel gebildet, wenn leer.' },
  parent: { en: 'Inside', de: 'Liegt in' },
  topLevel: { en: 'Top level', de: 'Oberste Ebene' },
  notSaved: { en: 'The collection was not saved', de: 'Die Sammlung wurde nicht gespeichert' },
  notCreated: { en: 'The article was not created', de: 'Der Artikel wurde nicht angelegt' },
})
