import { defineTexts } from '../../../texts/define.ts'
import { plural } from '../../../texts/plural.ts'
import { clockTexts, slaStatusTexts } from '../../../texts/values.ts'

export const texts = defineTexts({
  ...clockTexts,
  ...slaStatusTexts,
  breachedMet: { en: 'Met late', de: 'Zu spät erfüllt' },
  outside: { en: 'Outside hours', de: 'Außerhalb der Zeiten' },
  warned: { en: 'Due soon', de: 'Bald fällig' },
  noSla: { en: 'No SLA applies to this conversation.', de: 'Für diese Konversation gilt kein SLA.' },
  ended: {
    en: 'No SLA applies any more. The clocks ended.',
    de: 'Es gilt kein SLA mehr. Die Uhren sind beendet.',
  },
  target: { en: 'Target', de: 'Ziel' },
  elapsed: { en: 'Elapsed', de: 'Vergangen' },
  remaining: { en: 'Remaining', de: 'Verbleibend' },
  overdue: { en: 'Overdue by', de: 'Überfällig um' },
  due: { en: 'Due', de: 'Fällig' },
  wasDue: { en: 'Was due', de: 'War fällig' },
  metAt: { en: 'Met', de: 'Erfüllt' },
  notWhilePaused: { en: 'when it continues', de: 'wenn sie weiterläuft' },
  warning: { en: 'Warning', de: 'Warnung' },
  breach: { en: 'Breach', de: 'Verfehlt' },
  start: { en: 'Start', de: 'Beginn' },
  in_schedule: { en: 'Counted', de: 'Gezählt' },
  outside_schedule: { en: 'Outside business hours', de: 'Außerhalb der Geschäftszeiten' },
  holiday: { en: 'Holiday', de: 'Feiertag' },
  on_hold: { en: 'On hold', de: 'Zurückgestellt' },
  pending: { en: 'Pending', de: 'Wartet auf Antwort' },
  answered: { en: 'No answer was due', de: 'Keine Antwort war fällig' },
  ahead: { en: 'Left until the target', de: 'Bleibt bis zum Ziel' },
  after: { en: 'Not needed', de: 'Nicht gebraucht' },
  mixed: { en: 'Counted and not counted', de: 'Gezählt und nicht gezählt' },
  warnedSpan: { en: 'Counted after the warning', de: 'Gezählt nach der Warnung' },
  over: { en: 'Counted after the target', de: 'Gezählt nach dem Ziel' },
  compressed: { en: 'Drawn shorter', de: 'Verkürzt gezeichnet' },
  counted: { en: 'Counted', de: 'Gezählt' },
  spans: {
    en: (count: number) => plural('en', count, { one: '# span', other: '# spans' }),
    de: (count: number) => plural('de', count, { one: '# Zeitraum', other: '# Zeiträume' }),
  },
  countedOf: {
    en: (counted: string, total: string) => `${counted} of ${total} counted`,
    de: (counted: string, total: string) => `${counted} von ${total} gezählt`,
  },
  showDetails: { en: 'Show details', de: 'Einzelheiten zeigen' },
  detailsTitle: { en: 'SLA clocks', de: 'SLA-Uhren' },
  fullList: { en: 'All spans', de: 'Alle Zeiträume' },
  total: { en: 'Total so far', de: 'Summe bisher' },
  cut: {
    en: (count: string) => `Only the latest ${count} spans are listed.`,
    de: (count: string) => `Nur die letzten ${count} Zeiträume sind aufgeführt.`,
  },
  timeZone: {
    en: (zone: string) => `Times are in your time zone, ${zone}.`,
    de: (zone: string) => `Zeiten in deiner Zeitzone, ${zone}.`,
  },
  summary: {
    en: (name: string, status: string, elapsed: string, target: string) =>
      `${name}: ${status}, ${elapsed} of ${target} counted`,
    de: (name: string, status: string, elapsed: string, target: string) =>
      `${name}: ${status}, ${elapsed} von ${target} gezählt`,
  },
  openDetails: { en: 'Show the SLA clocks', de: 'SLA-Uhren zeigen' },
})
