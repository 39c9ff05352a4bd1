import { defineTexts } from '../../texts/define.ts'
import { pageTexts } from '../../texts/pages.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  exports: pageTexts.exports,
  exportsIntro: {
    en: 'All objects as they are at one moment, as files for a warehouse or a move to another system.',
    de: 'Alle Objekte, wie sie in einem Augenblick sind, als Dateien für Auswertungen oder einen Umzug.',
  },
  newExport: { en: 'New export', de: 'Neuer Export' },
  startExport: { en: 'Start', de: 'Starten' },
  exportFailed: { en: 'The export was not started', de: 'Der Export wurde nicht begonnen' },
  noExports: { en: 'No exports yet', de: 'Noch keine Exporte' },
  noExportsHint: {
    en: 'The files of an export are kept for 30 days.',
    de: 'Die Dateien eines Exports bleiben 30 Tage.',
  },
  families: { en: 'What', de: 'Was' },
  familiesHint: { en: 'Empty means everything.', de: 'Leer heißt alles.' },
  everything: { en: 'Everything', de: 'Alles' },
  isFiltered: { en: 'Only some conversations', de: 'Nur bestimmte Konversationen' },
  isFilteredHint: {
    en: 'Their messages follow them. All other objects are exported whole.',
    de: 'Ihre Nachrichten folgen ihnen. Alles andere wird ganz exportiert.',
  },
  format: { en: 'Format', de: 'Format' },
  ndjson: { en: 'NDJSON: one object a line', de: 'NDJSON: ein Objekt je Zeile' },
  csv: { en: 'CSV: for spreadsheets', de: 'CSV: für Tabellen' },
  compression: { en: 'Compression', de: 'Komprimierung' },
  gzip: { en: 'gzip', de: 'gzip' },
  none: { en: 'None', de: 'Keine' },
  objectCount: {
    en: (count: number, shown: string) => plural('en', count, { one: '1 object', other: `${shown} objects` }),
    de: (count: number, shown: string) => plural('de', count, { one: '1 Objekt', other: `${shown} Objekte` }),
  },
  files: { en: 'Files', de: 'Dateien' },
  download: { en: 'Download', de: 'Herunterladen' },
  downloadFailed: { en: 'The file was not downloaded', de: 'Die Datei wurde nicht heruntergeladen' },
  feedCursor: { en: 'Feed cursor', de: 'Cursor des Ereignisstroms' },
  feedCursorHint: {
    en: 'Follow the events from here: nothing is missed, and nothing comes twice.',
    de: 'Folge den Ereignissen ab hier: Nichts fehlt, und nichts kommt doppelt.',
  },
  restarts: {
    en: (count: number) =>
      plural('en', count, {
        one: 'The export was interrupted, and began anew.',
        other: 'The export was interrupted # times, and began anew.',
      }),
    de: (count: number) =>
      plural('de', count, {
        one: 'Der Export wurde unterbrochen und begann von vorn.',
        other: 'Der Export wurde #-mal unterbrochen und begann von vorn.',
      }),
  },
  jobs: pageTexts.jobs,
  jobsIntro: {
    en: 'Work that takes longer than a request: bulk changes, exports, imports, erasures.',
    de: 'Arbeit, die länger dauert als eine Anfrage: Massenänderungen, Exporte, Importe, Löschungen.',
  },
  noJobs: { en: 'No jobs', de: 'Keine Aufträge' },
  noJobsHint: { en: 'Results are kept for 30 days.', de: 'Ergebnisse bleiben 30 Tage.' },
  allTypes: { en: 'All types', de: 'Alle Typen' },
  allStatuses: { en: 'All statuses', de: 'Alle Status' },
  startedBy: { en: 'Started by', de: 'Begonnen von' },
  started: { en: 'Started', de: 'Begonnen' },
  ended: { en: 'Ended', de: 'Beendet' },
  expires: { en: 'Results are deleted', de: 'Ergebnisse werden gelöscht' },
  job: { en: 'Job', de: 'Auftrag' },
  id: { en: 'ID', de: 'ID' },
  made: { en: 'What it made', de: 'Was er ergab' },
  certificate: { en: 'Show the certificate', de: 'Nachweis anzeigen' },
  results: { en: 'Results', de: 'Ergebnisse' },
  params: { en: 'What was asked for', de: 'Was verlangt war' },
})
