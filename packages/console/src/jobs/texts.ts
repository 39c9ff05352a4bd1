import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'

export const texts = defineTexts({
  bulk: { en: 'Bulk change', de: 'Massenänderung' },
  export: { en: 'Export', de: 'Export' },
  import: { en: 'Import', de: 'Import' },
  erasure: { en: 'Erasure', de: 'Löschung' },
  person_export: { en: 'Export of a person', de: 'Export einer Person' },
  retention: { en: 'Retention', de: 'Aufbewahrung' },
  custom_field_removal: { en: 'Removal of a custom field', de: 'Entfernen eines eigenen Felds' },
  queued: { en: 'Waiting', de: 'Wartet' },
  running: { en: 'Running', de: 'Läuft' },
  succeeded: { en: 'Done', de: 'Fertig' },
  completed_with_errors: { en: 'Done, with failures', de: 'Fertig, mit Fehlern' },
  failedStatus: { en: 'Failed', de: 'Fehlgeschlagen' },
  cancelled: { en: 'Cancelled', de: 'Abgebrochen' },
  progress: { en: 'Progress', de: 'Fortschritt' },
  doneOf: {
    en: (done: string, total: string) => `${done} of ${total}`,
    de: (done: string, total: string) => `${done} von ${total}`,
  },
  doneSoFar: { en: (done: string) => `${done} so far`, de: (done: string) => `bisher ${done}` },
  failures: {
    en: (count: number) => plural('en', count, { one: '# failure', other: '# failures' }),
    de: (count: number) => plural('de', count, { one: '# Fehler', other: '# Fehler' }),
  },
  apiKey: { en: 'API key', de: 'API-Schlüssel' },
  server: { en: 'The server', de: 'Der Server' },
  cancelFailed: { en: 'The job was not cancelled', de: 'Der Auftrag wurde nicht abgebrochen' },
  results: { en: 'Results', de: 'Ergebnisse' },
  onlyFailed: { en: 'Failed only', de: 'Nur fehlgeschlagene' },
  result: { en: 'Result', de: 'Ergebnis' },
  line: { en: (line: number) => `Line ${line}`, de: (line: number) => `Zeile ${line}` },
  wasDone: { en: 'Done', de: 'Erledigt' },
  noResults: { en: 'No results', de: 'Keine Ergebnisse' },
  noFailures: { en: 'Nothing failed', de: 'Nichts ist fehlgeschlagen' },
})
