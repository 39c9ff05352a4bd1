import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  types: { en: 'Types', de: 'Typen' },
  allTypes: { en: 'All types', de: 'Alle Typen' },
  typesChosen: { en: (count: number) => `${count} chosen`, de: (count: number) => `${count} gewählt` },
  resource: { en: 'Resource id', de: 'ID der Ressource' },
  conversation: { en: 'Conversation id', de: 'ID der Konversation' },
  search: { en: 'Search what is loaded', de: 'Geladene durchsuchen' },
  noId: { en: 'This is not an id', de: 'Das ist keine ID' },
  noConversationId: { en: 'This is not the id of a conversation', de: 'Das ist keine ID einer Konversation' },
  resume: { en: 'Resume', de: 'Fortsetzen' },
  waiting: {
    en: (count: number) => plural('en', count, { one: '# new event waits', other: '# new events wait' }),
    de: (count: number) =>
      plural('de', count, { one: '# neues Ereignis wartet', other: '# neue Ereignisse warten' }),
  },
  empty: { en: 'No events', de: 'Keine Ereignisse' },
  emptyHint: {
    en: 'Every change makes an event. New ones appear here by themselves.',
    de: 'Jede Änderung erzeugt ein Ereignis. Neue erscheinen hier von selbst.',
  },
  noMatch: { en: 'No event matches', de: 'Kein Ereignis passt' },
  noMatchHint: {
    en: 'Change or remove a filter, or load older events.',
    de: 'Ändere oder entferne einen Filter, oder lade ältere Ereignisse.',
  },
  older: { en: 'Older events', de: 'Ältere Ereignisse' },
  next: { en: 'Next older event', de: 'Nächstälteres Ereignis' },
  previous: { en: 'Next newer event', de: 'Nächstneueres Ereignis' },
  closeEvent: { en: 'Close the event', de: 'Ereignis schließen' },
  id: { en: 'Event id', de: 'ID des Ereignisses' },
  actor: { en: 'Actor', de: 'Auslöser' },
  request: { en: 'Request id', de: 'ID der Anfrage' },
  key: { en: 'Idempotency key', de: 'Idempotency-Key' },
  about: common.resource,
  allOfConversation: { en: 'All events of the conversation', de: 'Alle Ereignisse der Konversation' },
  open: { en: 'Open in the inbox', de: 'Im Eingang öffnen' },
  allOfResource: { en: 'All events of this resource', de: 'Alle Ereignisse dieser Ressource' },
  audit: { en: 'Audit entry', de: 'Protokolleintrag' },
  itsRequest: { en: 'Its request', de: 'Zugehörige Anfrage' },
  noChanges: {
    en: 'The resource was created or deleted, so there are no values from before.',
    de: 'Die Ressource wurde angelegt oder gelöscht. Es gibt keine Werte von vorher.',
  },
  deliveries: { en: 'Webhook deliveries', de: 'Webhook-Zustellungen' },
  noDeliveries: {
    en: 'No endpoint was sent this event.',
    de: 'Das Ereignis wurde an keinen Endpunkt gesendet.',
  },
  deliveriesCut: {
    en: 'The latest 100 deliveries of each endpoint were searched; older ones are in the list of the endpoint.',
    de: 'Durchsucht wurden die letzten 100 Zustellungen jedes Endpunkts; ältere stehen in der Liste des Endpunkts.',
  },
  object: { en: 'Object', de: 'Objekt' },
  raw: { en: 'Whole event', de: 'Ganzes Ereignis' },
  gone: {
    en: 'This event is no longer kept. Its audit entry still is.',
    de: 'Dieses Ereignis wird nicht mehr aufbewahrt, sein Protokolleintrag schon.',
  },
  log: { en: 'Events, newest first', de: 'Ereignisse, neueste zuerst' },
  cut: {
    en: (count: string) => `The oldest ${count} events of the conversation are shown.`,
    de: (count: string) => `Gezeigt werden die ältesten ${count} Ereignisse der Konversation.`,
  },
})
