import { defineTexts } from '../../texts/define.ts'
import { pageTexts } from '../../texts/pages.ts'
import { plural } from '../../texts/plural.ts'

export const erasureTexts = defineTexts({
  erasures: pageTexts.erasures,
  intro: {
    en: 'Certificates of the people who were erased. They contain no data of the people.',
    de: 'Nachweise über gelöschte Personen. Sie enthalten keine Daten der Personen.',
  },
  none: { en: 'Nobody was erased', de: 'Niemand wurde gelöscht' },
  noneHint: {
    en: 'Somebody is erased from the details of one of their conversations, by the menu beside their name.',
    de: 'Gelöscht wird in den Details einer Konversation der Person, über das Menü neben ihrem Namen.',
  },
  certificate: { en: 'Certificate', de: 'Nachweis' },
  endUserId: { en: 'End user', de: 'Endkunde' },
  mode: { en: 'Mode', de: 'Art' },
  anonymise: { en: 'Anonymised', de: 'Anonymisiert' },
  deleteAll: { en: 'Deleted with conversations', de: 'Mit Konversationen gelöscht' },
  completed: { en: 'Completed', de: 'Abgeschlossen' },
  rows: { en: 'Rows', de: 'Zeilen' },
  reached: { en: 'What was erased', de: 'Was gelöscht wurde' },
  rowCount: {
    en: (count: number, shown: string) => plural('en', count, { one: '1 row', other: `${shown} rows` }),
    de: (count: number, shown: string) => plural('de', count, { one: '1 Zeile', other: `${shown} Zeilen` }),
  },
  headBefore: { en: 'Audit log before', de: 'Prüfprotokoll davor' },
  headAfter: { en: 'Audit log after', de: 'Prüfprotokoll danach' },
  earlierExports: {
    en: 'These exports from before contain the person until they are deleted after 30 days:',
    de: 'Diese früheren Exporte enthalten die Person, bis sie nach 30 Tagen gelöscht werden:',
  },
  download: { en: 'Download as JSON', de: 'Als JSON herunterladen' },
})
