import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  selected: {
    en: (count: number, shown: string) =>
      plural('en', count, { one: '1 selected', other: `${shown} selected` }),
    de: (_: number, shown: string) => `${shown} ausgewählt`,
  },
  clear: { en: 'Clear the selection', de: 'Auswahl aufheben' },
  forSelected: { en: 'Selected conversations', de: 'Ausgewählte Konversationen' },
  allLoaded: {
    en: (count: number) =>
      plural('en', count, { one: 'The one that is loaded.', other: 'All # that are loaded.' }),
    de: (count: number) => plural('de', count, { one: 'Die eine geladene.', other: 'Alle # geladenen.' }),
  },
  selectAll: {
    en: (count: string) => `Select all ${count} of this view`,
    de: (count: string) => `Alle ${count} dieser Ansicht auswählen`,
  },
  allSelected: {
    en: (count: string) => `All of this view: ${count} conversations`,
    de: (count: string) => `Alle dieser Ansicht: ${count} Konversationen`,
  },
  setDepartment: { en: 'Set department…', de: 'Abteilung setzen …' },
  setCategory: { en: 'Set category…', de: 'Kategorie setzen …' },
  setField: { en: 'Set custom field…', de: 'Eigenes Feld setzen …' },
  addTags: { en: 'Add tags…', de: 'Tags hinzufügen …' },
  removeTags: { en: 'Remove tags…', de: 'Tags entfernen …' },
  holdAll: { en: 'Put on hold…', de: 'Zurückstellen …' },
  closeAll: { en: 'Close for good…', de: 'Endgültig schließen …' },
  macro: { en: 'Macro', de: 'Makro' },
  findMacro: { en: 'Find a macro', de: 'Makro suchen' },
  noMacros: { en: 'No macro found', de: 'Kein Makro gefunden' },
  macroNamed: { en: (name: string) => `Macro “${name}”`, de: (name: string) => `Makro „${name}“` },
  show: { en: 'Show the changes', de: 'Änderungen zeigen' },
  checking: {
    en: 'Looking what would change…',
    de: 'Es wird geprüft, was sich ändern würde …',
  },
  dryRunFailed: {
    en: 'It could not be found out what would change',
    de: 'Was sich ändern würde, ließ sich nicht feststellen',
  },
  startFailed: { en: 'The change was not started', de: 'Die Änderung wurde nicht begonnen' },
  applyTo: {
    en: (count: number) =>
      plural('en', count, { one: 'Change # conversation', other: 'Change # conversations' }),
    de: (count: number) =>
      plural('de', count, { one: '# Konversation ändern', other: '# Konversationen ändern' }),
  },
  closeTo: {
    en: (count: number) =>
      plural('en', count, { one: 'Close # conversation', other: 'Close # conversations' }),
    de: (count: number) =>
      plural('de', count, { one: '# Konversation schließen', other: '# Konversationen schließen' }),
  },
  closeWarning: {
    en: 'Closed conversations cannot be reopened. Later messages of the end users start new ones.',
    de: 'Geschlossene Konversationen lassen sich nicht wieder öffnen. Spätere Nachrichten beginnen neue.',
  },
  sends: {
    en: (count: number) =>
      plural('en', count, {
        one: 'The macro sends a reply to # end user. That cannot be undone.',
        other: 'The macro sends a reply in # conversations. That cannot be undone.',
      }),
    de: (count: number) =>
      plural('de', count, {
        one: 'Das Makro sendet eine Antwort. Das lässt sich nicht rückgängig machen.',
        other: 'Das Makro sendet eine Antwort in # Konversationen. Das lässt sich nicht rückgängig machen.',
      }),
  },
  willChange: { en: 'What changes', de: 'Was sich ändert' },
  from: { en: 'From', de: 'Von' },
  to: { en: 'To', de: 'Zu' },
  count: { en: 'Count', de: 'Anzahl' },
  unchanged: {
    en: (count: number) => plural('en', count, { one: '# stays as it is.', other: '# stay as they are.' }),
    de: (count: number) =>
      plural('de', count, { one: '# bleibt, wie sie ist.', other: '# bleiben, wie sie sind.' }),
  },
  refused: {
    en: (count: number) => plural('en', count, { one: '# would be refused', other: '# would be refused' }),
    de: (count: number) => plural('de', count, { one: '# würde abgelehnt', other: '# würden abgelehnt' }),
  },
  nothingChanges: { en: 'Nothing would change.', de: 'Es würde sich nichts ändern.' },
  sample: {
    en: (count: string, total: string) => `Counted are the first ${count} of ${total}.`,
    de: (count: string, total: string) => `Gezählt sind die ersten ${count} von ${total}.`,
  },
  moreOf: { en: (count: number) => `and ${count} more`, de: (count: number) => `und ${count} weitere` },
  added: { en: 'added', de: 'hinzugefügt' },
  removed: { en: 'removed', de: 'entfernt' },
  bulkChanges: { en: 'Bulk changes', de: 'Massenänderungen' },
  done: {
    en: (count: number) =>
      plural('en', count, { one: '# conversation is done', other: '# conversations are done' }),
    de: (count: number) =>
      plural('de', count, { one: '# Konversation ist erledigt', other: '# Konversationen sind erledigt' }),
  },
  ended: {
    en: (count: number) => `Ended after ${count}`,
    de: (count: number) => `Beendet nach ${count}`,
  },
  showFailed: {
    en: (count: number) => plural('en', count, { one: '# failed', other: '# failed' }),
    de: (count: number) => plural('de', count, { one: '# fehlgeschlagen', other: '# fehlgeschlagen' }),
  },
  failedTitle: { en: 'Not changed', de: 'Nicht geändert' },
  undoing: { en: 'Undoing…', de: 'Wird rückgängig gemacht …' },
  undoFailed: { en: 'It was not undone', de: 'Es wurde nicht rückgängig gemacht' },
  nothingToUndo: { en: 'There was nothing to undo', de: 'Es gab nichts rückgängig zu machen' },
  dismiss: { en: 'Dismiss', de: 'Ausblenden' },
})
