import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'

export const texts = defineTexts({
  search: { en: 'Search', de: 'Suchen' },
  none: { en: 'Nothing here yet', de: 'Noch nichts vorhanden' },
  remove: { en: 'Delete…', de: 'Löschen …' },
  removeHint: {
    en: 'This cannot be undone. To keep it for what already uses it, archive it instead.',
    de: 'Das lässt sich nicht rückgängig machen. Soll es dort bleiben, wo es schon benutzt wird, archiviere es.',
  },
  inUse: { en: 'It is in use', de: 'Es wird benutzt' },
  inUseHint: {
    en: 'It cannot be deleted while something refers to it. Archived, it stays where it is used, and nobody can choose it any more.',
    de: 'Es kann nicht gelöscht werden, solange etwas darauf verweist. Archiviert bleibt es dort bestehen, und niemand kann es mehr neu wählen.',
  },
  created: { en: (name: string) => `“${name}” created`, de: (name: string) => `„${name}“ angelegt` },
  saved: { en: (name: string) => `“${name}” saved`, de: (name: string) => `„${name}“ gespeichert` },
  isArchived: { en: (name: string) => `“${name}” archived`, de: (name: string) => `„${name}“ archiviert` },
  isRestored: {
    en: (name: string) => `“${name}” restored`,
    de: (name: string) => `„${name}“ wiederhergestellt`,
  },
  isRemoved: { en: (name: string) => `“${name}” deleted`, de: (name: string) => `„${name}“ gelöscht` },
  faults: {
    en: (count: number) =>
      plural('en', count, { one: '# field needs a change.', other: '# fields need a change.' }),
    de: (count: number) =>
      plural('de', count, {
        one: '# Feld braucht eine Änderung.',
        other: '# Felder brauchen eine Änderung.',
      }),
  },
  taken: {
    en: 'Another one has this already, perhaps an archived one',
    de: 'Das gibt es schon, vielleicht archiviert',
  },
  discardTitle: { en: 'Discard your changes?', de: 'Änderungen verwerfen?' },
  discardHint: { en: 'They have not been saved.', de: 'Sie wurden nicht gespeichert.' },
  keepEditing: { en: 'Keep editing', de: 'Weiter bearbeiten' },
  conflict: {
    en: 'Somebody has changed this in the meantime. Your text is still here.',
    de: 'Jemand hat das inzwischen geändert. Deine Eingaben sind noch da.',
  },
  conflictFields: { en: 'What is stored now:', de: 'Jetzt gespeichert:' },
  conflictChanged: { en: 'changed', de: 'geändert' },
  takeTheirs: { en: 'Use what is stored', de: 'Gespeichertes übernehmen' },
  keepMine: { en: 'Save mine', de: 'Meins speichern' },
  gone: { en: 'It does not exist any more', de: 'Das gibt es nicht mehr' },
})
