import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  title: { en: 'Overview', de: 'Überblick' },
  service: { en: 'Service', de: 'Dienst' },
  ready: { en: 'Ready', de: 'Bereit' },
  notReady: { en: 'Not ready', de: 'Nicht bereit' },
  stream: { en: 'Event stream', de: 'Ereignis-Stream' },
  environment: { en: 'Environment', de: 'Umgebung' },
  test: { en: 'Test', de: 'Test' },
  workspace: common.workspace,
  workspaceId: { en: 'Workspace id', de: 'ID des Workspace' },
  url: { en: 'Public URL', de: 'Öffentliche URL' },
  ahead: {
    en: (duration: string) => `${duration} ahead of real time`,
    de: (duration: string) => `${duration} vor der echten Zeit`,
  },
  inTime: { en: 'Real time', de: 'Echte Zeit' },
  retention: { en: 'Events are kept for', de: 'Ereignisse bleiben' },
  perMinute: { en: 'Events per minute', de: 'Ereignisse pro Minute' },
  chart: {
    en: (minutes: number, sum: string, most: string) =>
      `${sum} events in the last ${minutes} minutes, at most ${most} in one of them`,
    de: (minutes: number, sum: string, most: string) =>
      `${sum} Ereignisse in den letzten ${minutes} Minuten, höchstens ${most} in einer davon`,
  },
  minute: {
    en: (time: string, count: number) =>
      `${time}: ${plural('en', count, { one: '# event', other: '# events' })}`,
    de: (time: string, count: number) =>
      `${time}: ${plural('de', count, { one: '# Ereignis', other: '# Ereignisse' })}`,
  },
  cut: {
    en: 'The environment is busy: earlier minutes are not counted.',
    de: 'Es ist viel los: Frühere Minuten sind nicht gezählt.',
  },
  openLog: { en: 'Open the log', de: 'Zum Protokoll der Ereignisse' },
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  webhooksGood: { en: 'All endpoints receive their events', de: 'Alle Endpunkte empfangen ihre Ereignisse' },
  noWebhooks: { en: 'There are no endpoints', de: 'Es gibt keine Endpunkte' },
  endpoint: { en: 'Endpoint', de: 'Endpunkt' },
  pending: { en: 'Pending', de: 'Wartet' },
  failed: { en: 'Failed', de: 'Fehlgeschlagen' },
  allEndpoints: { en: 'All endpoints', de: 'Alle Endpunkte' },
  documents: { en: 'Documentation', de: 'Dokumentation' },
  reference: { en: 'API reference', de: 'API-Referenz' },
  referenceText: {
    en: 'Every operation, with examples to try',
    de: 'Jede Operation, mit Beispielen zum Ausprobieren',
  },
  guides: { en: 'Guides', de: 'Anleitungen' },
  guidesText: { en: 'Webhooks, SLA clocks, files, operations', de: 'Webhooks, SLA-Uhren, Dateien, Betrieb' },
  problems: { en: 'Error codes', de: 'Fehlercodes' },
  problemsText: { en: 'Their meaning and their cure', de: 'Was sie bedeuten und was hilft' },
  openapi: { en: 'OpenAPI document', de: 'OpenAPI-Dokument' },
  openapiText: { en: 'To generate clients from', de: 'Um daraus Clients zu erzeugen' },
})
