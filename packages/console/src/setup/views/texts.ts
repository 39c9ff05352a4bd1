import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: common.views,
  conversation: common.conversations,
  end_user: common.endUsers,
  intro: {
    en: 'Saved filters that everybody, or some, see: of conversations in the inbox, of end users on the page People.',
    de: 'Gespeicherte Filter, die alle oder einige sehen: von Konversationen im Eingang, von Endkunden unter Personen.',
  },
  create: { en: 'New view', de: 'Neue Ansicht' },
  emptyHint: {
    en: 'Such as “Due soon”: SLA due in the next 2 hours.',
    de: 'Zum Beispiel „Bald fällig“: SLA fällig in den nächsten 2 Stunden.',
  },
  appliesTo: { en: 'Lists', de: 'Zeigt' },
  filter: { en: 'Filter', de: 'Filter' },
  sort: { en: 'Order', de: 'Reihenfolge' },
  newest: { en: 'Newest first', de: 'Neueste zuerst' },
  oldest: { en: 'Oldest first', de: 'Älteste zuerst' },
  changed: { en: 'Last changed first', de: 'Zuletzt geänderte zuerst' },
  lastMessage: { en: 'Last message first', de: 'Letzte Nachricht zuerst' },
  due: { en: 'SLA due first', de: 'SLA-Fälligkeit zuerst' },
  seen: { en: 'Last seen first', de: 'Zuletzt gesehene zuerst' },
  byName: { en: 'By name', de: 'Nach Name' },
  visibility: { en: 'Who sees it', de: 'Wer sie sieht' },
  visibilityIntro: { en: 'Without a choice, everybody.', de: 'Ohne Auswahl: alle.' },
  everybody: { en: 'Everybody', de: 'Alle' },
  departments: { en: 'Members of departments', de: 'Mitglieder von Abteilungen' },
  some: { en: (count: number) => `${count} chosen`, de: (count: number) => `${count} gewählt` },
  matches: { en: 'Matches', de: 'Treffer' },
  broken: { en: 'Broken', de: 'Defekt' },
  brokenTitle: { en: 'This view no longer works', de: 'Diese Ansicht funktioniert nicht mehr' },
  brokenHint: {
    en: 'Something that its filter names was deleted or changed. Correct the marked place and save.',
    de: 'Etwas, das der Filter nennt, wurde gelöscht oder geändert. Korrigiere die markierte Stelle und speichere.',
  },
  columns: { en: 'Columns', de: 'Spalten' },
  columnsHint: {
    en: 'In this order; a list that is wide enough shows them as a table. Empty means the usual ones.',
    de: 'In dieser Reihenfolge; eine Liste, die breit genug ist, zeigt sie als Tabelle. Leer heißt die üblichen.',
  },
})
