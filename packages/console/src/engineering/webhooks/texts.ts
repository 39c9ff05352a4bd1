import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  enabled: common.active,
  title: { en: 'Webhook endpoints', de: 'Webhook-Endpunkte' },
  intro: {
    en: 'The server sends the events that an endpoint chooses to its URL, signed, until they arrive.',
    de: 'Der Server sendet die gewählten Ereignisse signiert an die URL des Endpunkts, bis sie ankommen.',
  },
  create: { en: 'New endpoint', de: 'Neuer Endpunkt' },
  empty: { en: 'No endpoints yet', de: 'Noch keine Endpunkte' },
  emptyHint: {
    en: 'Create one to receive events at a URL of yours. On a laptop, use: backline listen',
    de: 'Lege einen an, um Ereignisse an deiner URL zu empfangen. Auf dem Laptop hilft: backline listen',
  },
  filterState: common.state,
  url: { en: 'URL', de: 'URL' },
  disabled: { en: 'Disabled', de: 'Abgeschaltet' },
  failing: { en: 'Failing', de: 'Gestört' },
  failures: {
    en: (count: number) =>
      plural('en', count, { one: '# failed attempt', other: '# failed attempts in a row' }),
    de: (count: number) => plural('de', count, { one: '# Fehlversuch', other: '# Fehlversuche in Folge' }),
  },
  gone: {
    en: 'The receiver answered 410, so the server stopped sending.',
    de: 'Der Empfänger hat mit 410 geantwortet. Der Server sendet nicht mehr.',
  },
  failed: {
    en: 'No delivery has succeeded for five days, so the server stopped sending.',
    de: 'Seit fünf Tagen kam nichts an. Der Server sendet nicht mehr.',
  },
  pausedNote: {
    en: 'A paused endpoint receives nothing. After you enable it, recover the events that it missed.',
    de: 'Ein pausierter Endpunkt empfängt nichts. Hole nach dem Aktivieren nach, was er verpasst hat.',
  },
  enable: { en: 'Enable', de: 'Aktivieren' },
  removeText: {
    en: 'All requests to it stop, and its deliveries are deleted. To stop for a time only, pause it.',
    de: 'Es wird nichts mehr gesendet, und die Zustellungen werden gelöscht. Für eine Weile genügt Pausieren.',
  },
  actionFailed: { en: 'The endpoint was not changed', de: 'Der Endpunkt wurde nicht geändert' },
  urlHint: {
    en: 'https, at a public address. The server can allow networks of yours.',
    de: 'https, mit öffentlicher Adresse. Der Server kann eigene Netze erlauben.',
  },
  eventsLegend: { en: 'Events to send', de: 'Zu sendende Ereignisse' },
  payload: { en: 'Body', de: 'Inhalt' },
  full: { en: 'Full: the whole event', de: 'Voll: das ganze Ereignis' },
  thin: {
    en: 'Thin: without data, so without personal data',
    de: 'Schlank: ohne data, also ohne Personendaten',
  },
  filterHint: {
    en: 'With a filter, events of conversations and of their messages are sent only if the conversation matches at that moment. Other events are always sent.',
    de: 'Mit einem Filter werden Ereignisse von Konversationen und ihren Nachrichten nur gesendet, wenn die Konversation in diesem Moment passt. Andere Ereignisse werden immer gesendet.',
  },
  addFilter: { en: 'Add a filter', de: 'Filter hinzufügen' },
  removeFilter: { en: 'Remove the filter', de: 'Filter entfernen' },
  headers: { en: 'Headers', de: 'Kopfzeilen' },
  headersHint: {
    en: 'One a line, as “Name: value”. Stored values are shown as *** and stay as they are.',
    de: 'Eine je Zeile, als „Name: Wert“. Gespeicherte Werte stehen als *** da und bleiben.',
  },
  headersBad: {
    en: 'Each line needs a name, a colon and a value',
    de: 'Jede Zeile braucht Name, Doppelpunkt und Wert',
  },
  showRequest: { en: 'Show the request', de: 'Anfrage zeigen' },
  secretTitle: { en: 'The signing secret', de: 'Das Geheimnis der Signatur' },
  secretNote: {
    en: 'Your receiver verifies the signature of each request with it.',
    de: 'Damit prüft dein Empfänger die Signatur jeder Anfrage.',
  },
  rotate: { en: 'Rotate the secret', de: 'Geheimnis wechseln' },
  rotateText: {
    en: 'Requests carry two signatures for a time, one of each secret, so that the receiver can switch.',
    de: 'Anfragen tragen eine Zeit lang zwei Signaturen, eine je Geheimnis, damit der Empfänger umstellen kann.',
  },
  grace: { en: 'The previous secret also signs for', de: 'Das bisherige Geheimnis signiert noch' },
  rotateFailed: { en: 'The secret was not rotated', de: 'Das Geheimnis wurde nicht gewechselt' },
  test: { en: 'Send a test event', de: 'Test senden' },
  testText: {
    en: 'An example, which the journal does not have. It is signed and retried like any other.',
    de: 'Ein Beispiel, das nicht im Journal steht. Es wird signiert und wiederholt wie jedes andere.',
  },
  testFailed: { en: 'The test event was not sent', de: 'Der Test wurde nicht gesendet' },
  recover: { en: 'Recover', de: 'Nachholen' },
  recoverTitle: { en: 'Recover missed events', de: 'Verpasste Ereignisse nachholen' },
  recoverText: {
    en: 'Sends what has not arrived since this time. What has arrived or still waits is not sent again.',
    de: 'Sendet, was seit dieser Zeit nicht ankam. Was ankam oder noch wartet, wird nicht noch einmal gesendet.',
  },
  recovered: {
    en: (count: number) =>
      plural('en', count, { one: '# event will be delivered', other: '# events will be delivered' }),
    de: (count: number) =>
      plural('de', count, { one: '# Ereignis wird zugestellt', other: '# Ereignisse werden zugestellt' }),
  },
  recoverFailed: { en: 'Nothing was recovered', de: 'Es wurde nichts nachgeholt' },
  settings: { en: 'Settings', de: 'Einstellungen' },
  secret: { en: 'Secret', de: 'Geheimnis' },
  none: { en: 'none', de: 'keine' },
  noFilter: { en: 'none', de: 'keiner' },
  id: { en: 'Endpoint id', de: 'ID des Endpunkts' },
  rate: { en: 'Success rate', de: 'Erfolgsquote' },
  rateOf: {
    en: (rate: string, of: string) => `${rate} of ${of} finished deliveries`,
    de: (rate: string, of: string) => `${rate} von ${of} beendeten Zustellungen`,
  },
  lastSuccess: { en: 'Last success', de: 'Letzter Erfolg' },
  notLately: { en: 'Not among the latest deliveries', de: 'Nicht unter den letzten Zustellungen' },
  lastFailure: { en: 'Last failed attempt', de: 'Letzter Fehlversuch' },
  deliveries: { en: 'Deliveries', de: 'Zustellungen' },
  noDeliveries: { en: 'No deliveries', de: 'Keine Zustellungen' },
  noDeliveriesHint: {
    en: 'Matching events appear here as they are sent. Send a test event to try the endpoint.',
    de: 'Passende Ereignisse erscheinen hier. Sende einen Test, um den Endpunkt auszuprobieren.',
  },
  pending: { en: 'Pending', de: 'Wartet' },
  succeeded: { en: 'Succeeded', de: 'Zugestellt' },
  undelivered: { en: 'Failed', de: 'Fehlgeschlagen' },
  attempts: { en: 'Attempts', de: 'Versuche' },
  noAttempts: { en: 'No attempt yet', de: 'Noch kein Versuch' },
  response: { en: 'Response', de: 'Antwort' },
  next: { en: 'Next attempt', de: 'Nächster Versuch' },
  delivery: { en: 'Delivery', de: 'Zustellung' },
  deliveryId: { en: 'Delivery id', de: 'ID der Zustellung' },
  retry: { en: 'Send again now', de: 'Jetzt erneut senden' },
  retried: { en: 'The event is being sent', de: 'Das Ereignis wird gesendet' },
  retryFailed: { en: 'The event was not sent', de: 'Das Ereignis wurde nicht gesendet' },
  attempt: { en: (index: number) => `Attempt ${index}`, de: (index: number) => `Versuch ${index}` },
  took: { en: (ms: string) => `${ms} ms`, de: (ms: string) => `${ms} ms` },
  noResponse: { en: 'No response', de: 'Keine Antwort' },
  emptyBody: { en: 'The response had no body.', de: 'Die Antwort hatte keinen Inhalt.' },
  request: { en: 'Request', de: 'Anfrage' },
  requestNote: {
    en: 'As it was made from the event. The signature is made anew for each attempt.',
    de: 'Wie aus dem Ereignis gebildet. Die Signatur entsteht bei jedem Versuch neu.',
  },
  requestGone: {
    en: 'A test event, or one that is no longer kept: its body is not stored.',
    de: 'Ein Test, oder ein Ereignis, das nicht mehr aufbewahrt wird: Der Inhalt ist nicht gespeichert.',
  },
  openEvent: { en: 'Open the event', de: 'Ereignis öffnen' },
  guide: { en: 'Receive and verify', de: 'Empfangen und prüfen' },
  guideText: {
    en: 'Verify the raw body before a parser changes it, answer 2xx within 15 seconds, and work afterwards. An event can arrive more than once and out of order: store the ids you have processed, and compare resource.version.',
    de: 'Prüfe den rohen Inhalt, bevor ihn ein Parser ändert, antworte binnen 15 Sekunden mit 2xx, und arbeite danach. Ein Ereignis kann mehrmals und in anderer Reihenfolge ankommen: Merke dir die ids, und vergleiche resource.version.',
  },
  schedule: { en: 'Retries', de: 'Wiederholungen' },
  scheduleText: {
    en: 'Other statuses, redirects and timeouts are failures. The server tries again after these pauses, each up to a tenth longer; Retry-After can make a pause as long as a day. 410 disables the endpoint at once. It is also disabled after five days without a success and at least twenty failures.',
    de: 'Andere Statuscodes, Weiterleitungen und Zeitüberschreitungen sind Fehler. Der Server wiederholt nach diesen Pausen, jede bis zu ein Zehntel länger; Retry-After kann eine Pause auf bis zu einen Tag verlängern. 410 schaltet den Endpunkt sofort ab. Nach fünf Tagen ohne Erfolg und mindestens zwanzig Fehlern wird er auch abgeschaltet.',
  },
  more: { en: 'The whole guide', de: 'Die ganze Anleitung' },
})
