import { defineTexts } from '../../texts/define.ts'
import { pageTexts } from '../../texts/pages.ts'
import { plural } from '../../texts/plural.ts'

export const importTexts = defineTexts({
  imports: pageTexts.imports,
  importsIntro: {
    en: 'Objects of another system, with their times, authors and states. The same file twice imports nothing twice.',
    de: 'Objekte eines anderen Systems mit ihren Zeiten, Autoren und Zuständen. Dieselbe Datei zweimal importiert nichts doppelt.',
  },
  cliBefore: {
    en: 'To move from another system, use the command line:',
    de: 'Für den Umzug von einem anderen System gibt es die Kommandozeile:',
  },
  cliAfter: {
    en: 'and others fetch everything there and import it.',
    de: 'und andere holen dort alles und importieren es.',
  },
  guide: { en: 'Read the guide', de: 'Zur Anleitung' },
  newImport: { en: 'New import', de: 'Neuer Import' },
  noImports: { en: 'No imports yet', de: 'Noch keine Importe' },
  noImportsHint: {
    en: 'A file with one JSON object on each line, compressed by gzip or not.',
    de: 'Eine Datei mit einem JSON-Objekt in jeder Zeile, mit gzip komprimiert oder nicht.',
  },
  file: { en: 'File', de: 'Datei' },
  fileHint: {
    en: 'NDJSON: one JSON object on each line, of at most 1 MiB; .ndjson or .ndjson.gz.',
    de: 'NDJSON: ein JSON-Objekt in jeder Zeile, höchstens 1 MiB; .ndjson oder .ndjson.gz.',
  },
  source: { en: 'Source', de: 'Quelle' },
  sourceHint: {
    en: 'The system that the objects come from, such as zendesk. External ids are known for each source by itself.',
    de: 'Das System, von dem die Objekte stammen, etwa zendesk. Externe IDs gelten für jede Quelle getrennt.',
  },
  onConflict: { en: 'What was imported before', de: 'Was schon importiert wurde' },
  skip: { en: 'stays as it is', de: 'bleibt, wie es ist' },
  update: { en: 'gets the fields of the file', de: 'erhält die Felder der Datei' },
  tryIt: { en: 'Check the file', de: 'Datei prüfen' },
  uploading: { en: 'The file is being uploaded…', de: 'Die Datei wird hochgeladen …' },
  checking: {
    en: 'The file is being checked. Nothing is imported yet.',
    de: 'Die Datei wird geprüft. Noch wird nichts importiert.',
  },
  importNow: { en: 'Import', de: 'Importieren' },
  importFailed: { en: 'The import was not started', de: 'Der Import wurde nicht begonnen' },
  wouldImport: {
    en: (count: number, shown: string) =>
      plural('en', count, { one: '1 line would be imported.', other: `${shown} lines would be imported.` }),
    de: (count: number, shown: string) =>
      plural('de', count, { one: '1 Zeile würde importiert.', other: `${shown} Zeilen würden importiert.` }),
  },
  wouldFail: {
    en: (count: number, shown: string) =>
      plural('en', count, { one: '1 line has faults:', other: `${shown} lines have faults:` }),
    de: (count: number, shown: string) =>
      plural('de', count, { one: '1 Zeile hat Fehler:', other: `${shown} Zeilen haben Fehler:` }),
  },
  goesOn: {
    en: 'Lines with faults are left out, the others are imported.',
    de: 'Fehlerhafte Zeilen bleiben weg, die anderen werden importiert.',
  },
})
