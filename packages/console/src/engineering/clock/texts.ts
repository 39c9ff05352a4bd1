import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  intro: {
    en: 'All timestamps, deadlines and schedules of the test environment go by this clock. It cannot be set back.',
    de: 'Alle Zeiten, Fristen und Pläne der Testumgebung folgen dieser Uhr. Sie lässt sich nicht zurückstellen.',
  },
  ahead: { en: 'Ahead of real time', de: 'Vorsprung vor der echten Zeit' },
  inTime: { en: 'Real time', de: 'Echte Zeit' },
  advance: { en: 'Advance', de: 'Vorstellen' },
  by: {
    en: (duration: string) => `Advance by ${duration}`,
    de: (duration: string) => `Um ${duration} vorstellen`,
  },
  custom: { en: 'By a duration', de: 'Um eine Dauer' },
  unit: { en: 'Unit', de: 'Einheit' },
  minutes: { en: 'Minutes', de: 'Minuten' },
  hours: { en: 'Hours', de: 'Stunden' },
  days: { en: 'Days', de: 'Tage' },
  to: { en: 'To a time', de: 'Auf eine Zeit' },
  toTime: common.time,
  running: { en: 'Doing what becomes due…', de: 'Fälliges wird erledigt …' },
  failed: { en: 'The clock was not advanced', de: 'Die Uhr wurde nicht vorgestellt' },
  result: { en: 'What became due', de: 'Was fällig wurde' },
  moved: {
    en: (by: string, events: number) =>
      `The clock went on by ${by}. Work that became due made ${plural('en', events, { one: '# event', other: '# events' })}.`,
    de: (by: string, events: number) =>
      `Die Uhr ging um ${by} weiter. Fälliges ergab ${plural('de', events, { one: '# Ereignis', other: '# Ereignisse' })}.`,
  },
  some: {
    en: (count: string) => `The latest ${count} events are shown.`,
    de: (count: string) => `Gezeigt werden die letzten ${count} Ereignisse.`,
  },
  remaining: {
    en: (by: string) => `There was more work than fits into one request: ${by} remain.`,
    de: (by: string) => `Es gab mehr Arbeit, als in eine Anfrage passt: ${by} fehlen noch.`,
  },
  goOn: { en: 'Go on', de: 'Weiter' },
  all: { en: 'All events', de: 'Alle Ereignisse' },
})
