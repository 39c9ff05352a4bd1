import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'
import { operatorStatusTexts } from '../texts/values.ts'

export const texts = defineTexts({
  ...operatorStatusTexts,
  intro: {
    en: 'Who is there now, how much each has to do, and what has waited for too long.',
    de: 'Wer gerade da ist, wie viel alle zu tun haben, und was zu lange wartet.',
  },
  load: { en: 'Open', de: 'Offen' },
  ofCapacity: {
    en: (capacity: number) => `of ${capacity}`,
    de: (capacity: number) => `von ${capacity}`,
  },
  conversationsOf: {
    en: (what: string, name: string) => `${what}: ${name}`,
    de: (what: string, name: string) => `${what}: ${name}`,
  },
  longestWait: { en: 'Longest wait', de: 'Wartet am längsten' },
  waitingCount: {
    en: (wait: string, count: string) => `${wait} (${count} waiting)`,
    de: (wait: string, count: string) => `${wait} (${count} warten)`,
  },
  breachedToday: { en: 'SLA breached today', de: 'SLA heute verfehlt' },
  present: {
    en: (online: string, members: string) => `${online} of ${members}`,
    de: (online: string, members: string) => `${online} von ${members}`,
  },
  noHeartbeat: { en: 'console closed', de: 'Konsole geschlossen' },
  noInput: { en: 'no input', de: 'keine Eingabe' },
  countsFailed: {
    en: 'The numbers of conversations could not be loaded.',
    de: 'Die Zahlen der Konversationen konnten nicht geladen werden.',
  },
  allDepartments: { en: 'All departments', de: 'Alle Abteilungen' },
  until: { en: (time: string) => `until ${time}`, de: (time: string) => `bis ${time}` },
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
  nobodyHere: { en: 'Nobody here', de: 'Niemand hier' },
  nobodyHint: { en: 'This department has no members.', de: 'Diese Abteilung hat keine Mitglieder.' },

  handOver: { en: 'Hand over conversations…', de: 'Konversationen übergeben …' },
  moveOf: {
    en: (name: string) => `Hand over the conversations of ${name}`,
    de: (name: string) => `Konversationen übergeben: ${name}`,
  },
  move: { en: 'Hand over', de: 'Übergeben' },
  notMoved: { en: 'Not finished', de: 'Nicht fertig' },
  stillOnline: {
    en: (name: string) => `${name} is online: routing goes on to assign new conversations.`,
    de: (name: string) => `${name} ist online: Die Verteilung weist weiter neue Konversationen zu.`,
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
    en: (count: string) => `Not handed over: ${count}`,
    de: (count: string) => `Nicht übergeben: ${count}`,
  },
})
