import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'
import { operatorStatusTexts, roleTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  ...operatorStatusTexts,
  ...roleTexts,
  title: common.operators,
  intro: {
    en: 'The people who answer conversations, and what each may do in this console.',
    de: 'Die Menschen, die Konversationen beantworten, und was sie in dieser Konsole dürfen.',
  },
  create: { en: 'New operator', de: 'Neues Mitglied' },
  emptyHint: {
    en: 'Add the people of your team, and invite them by a link.',
    de: 'Füge die Menschen deines Teams hinzu und lade sie mit einem Link ein.',
  },
  invite: { en: 'Invite…', de: 'Einladen …' },
  nameHint: { en: 'End users may see it.', de: 'Endkunden können ihn sehen.' },
  role: { en: 'Role', de: 'Rolle' },
  agentMay: {
    en: 'Works with conversations, end users and companies. Reads the set-up.',
    de: 'Arbeitet mit Konversationen, Endkunden und Firmen. Liest die Einrichtung.',
  },
  leadMay: {
    en: 'Also changes tags, categories, macros, message templates, hold reasons, views and articles.',
    de: 'Ändert außerdem Tags, Kategorien, Makros, Textvorlagen, Gründe zum Zurückstellen, Ansichten und Artikel.',
  },
  adminMay: {
    en: 'May do everything: operators, departments, SLAs, custom fields, keys and webhooks.',
    de: 'Darf alles: Team, Abteilungen, SLAs, eigene Felder, Schlüssel und Webhooks.',
  },
  capacity: { en: 'Capacity', de: 'Kapazität' },
  capacityHint: {
    en: 'Routing assigns no more while so many conversations are open. Empty means no limit.',
    de: 'Die Verteilung weist nichts mehr zu, solange so viele Konversationen offen sind. Leer heißt ohne Grenze.',
  },
  noLimit: { en: 'no limit', de: 'ohne Grenze' },
  departmentsHint: {
    en: 'Routing assigns conversations of these departments.',
    de: 'Die Verteilung weist Konversationen dieser Abteilungen zu.',
  },
  load: { en: 'Open', de: 'Offen' },
  loadOf: {
    en: (open: number, capacity: number) => `${open} of ${capacity}`,
    de: (open: number, capacity: number) => `${open} von ${capacity}`,
  },
  self: { en: 'you', de: 'du' },

  lastAdmin: {
    en: 'This is the only administrator. Make somebody else an administrator first.',
    de: 'Das ist das einzige Mitglied mit der Rolle Administration. Gib die Rolle erst jemand anderem.',
  },
  archiveTitle: {
    en: (name: string) => `Archive “${name}”?`,
    de: (name: string) => `„${name}“ archivieren?`,
  },
  archiveHint: {
    en: 'They can no longer sign in, and nothing can be assigned to them. Their name stays on what they have done.',
    de: 'Anmelden ist dann nicht mehr möglich, und es wird nichts mehr zugewiesen. Der Name bleibt an allem, was getan wurde.',
  },
  archiveSelf: {
    en: 'This is you: you will be signed out.',
    de: 'Das bist du selbst: Du wirst abgemeldet.',
  },
  noneLeft: {
    en: 'No conversation that is not closed is assigned to them.',
    de: 'Es ist keine Konversation zugewiesen, die nicht geschlossen ist.',
  },
  left: {
    en: (count: number, shown: string) =>
      plural('en', count, {
        one: 'What becomes of the conversation that is assigned to them and not closed?',
        other: `What becomes of the ${shown} conversations that are assigned to them and not closed?`,
      }),
    de: (count: number, shown: string) =>
      plural('de', count, {
        one: 'Was wird aus der zugewiesenen Konversation, die nicht geschlossen ist?',
        other: `Was wird aus den ${shown} zugewiesenen Konversationen, die nicht geschlossen sind?`,
      }),
  },
  toDepartment: { en: 'Unassign them', de: 'Zuweisung aufheben' },
  toDepartmentHint: {
    en: 'They stay in their departments, where anybody can take them.',
    de: 'Sie bleiben in ihren Abteilungen, wo alle sie übernehmen können.',
  },
  toColleague: { en: 'Assign them to a colleague', de: 'Jemand anderem zuweisen' },
  colleague: { en: 'Colleague', de: 'Wem' },
  chooseColleague: { en: 'Choose a colleague', de: 'Wähle, wem' },
  stay: { en: 'Leave them assigned', de: 'Zugewiesen lassen' },
  stayHint: {
    en: 'They are then only in views that do not filter by assignee.',
    de: 'Sie stehen dann nur in Ansichten, die nicht nach der Zuweisung filtern.',
  },
  handedOver: {
    en: (done: string, all: string) => `${done} of ${all} handed over`,
    de: (done: string, all: string) => `${done} von ${all} übergeben`,
  },
  notHandedOver: {
    en: (count: string) => `Not archived. Not handed over: ${count}`,
    de: (count: string) => `Nicht archiviert. Nicht übergeben: ${count}`,
  },
  archiveFailed: { en: 'Not archived', de: 'Nicht archiviert' },

  board: { en: 'Status board', de: 'Anwesenheit' },
  boardIntro: {
    en: 'Who is there now, since when, and how much each has to do.',
    de: 'Wer gerade da ist, seit wann, und wie viel alle zu tun haben.',
  },
  until: { en: (time: string) => `until ${time}`, de: (time: string) => `bis ${time}` },
  everyone: { en: 'All departments', de: 'Alle Abteilungen' },
  setStatus: { en: 'Set status', de: 'Status setzen' },
  setStatusOf: {
    en: (name: string) => `Set status of ${name}`,
    de: (name: string) => `Status setzen: ${name}`,
  },
  withReason: { en: 'With reason and duration…', de: 'Mit Grund und Dauer …' },
  duration: { en: 'For how long', de: 'Für wie lange' },
  durationHint: { en: 'Empty means until somebody changes it.', de: 'Leer heißt, bis ihn jemand ändert.' },
  then: { en: 'Then', de: 'Danach' },
  notSet: { en: 'The status was not set', de: 'Der Status wurde nicht gesetzt' },
  nobody: { en: 'Nobody here', de: 'Niemand hier' },
  nobodyHint: { en: 'This department has no members.', de: 'Diese Abteilung hat keine Mitglieder.' },
  free: {
    en: (free: number) => `room for ${free} more`,
    de: (free: number) => `Platz für ${free}`,
  },
  full: { en: 'full', de: 'ausgelastet' },
})
