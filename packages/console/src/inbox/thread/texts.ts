import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  messages: { en: 'Messages', de: 'Nachrichten' },
  edited: { en: 'edited', de: 'bearbeitet' },
  editedAt: { en: (time: string) => `Edited ${time}`, de: (time: string) => `Bearbeitet ${time}` },
  redacted: { en: 'This message was redacted', de: 'Diese Nachricht wurde geschwärzt' },
  scheduledFor: {
    en: (time: string) => `Will be sent ${time}`,
    de: (time: string) => `Wird gesendet ${time}`,
  },
  cancel: { en: 'Cancel sending', de: 'Versand abbrechen' },
  cancelFailed: { en: 'Sending was not cancelled', de: 'Der Versand wurde nicht abgebrochen' },
  sending: { en: 'Sending…', de: 'Wird gesendet …' },
  sendingIn: {
    en: (seconds: number) => `Sending in ${seconds} s`,
    de: (seconds: number) => `Wird in ${seconds} s gesendet`,
  },
  sendingSoon: { en: 'Sending in a moment', de: 'Wird gleich gesendet' },
  notSent: { en: 'Not sent', de: 'Nicht gesendet' },
  connection: {
    en: 'There is no connection to the server. This is sent as soon as there is one.',
    de: 'Es besteht keine Verbindung zum Server. Sobald sie wieder da ist, wird dies gesendet.',
  },
  server: {
    en: 'The server cannot take it at the moment. It is sent again by itself.',
    de: 'Der Server kann es gerade nicht annehmen. Es wird von selbst erneut gesendet.',
  },
  signed_out: {
    en: 'Your sign-in has ended. It is sent once you have signed in again.',
    de: 'Deine Anmeldung ist beendet. Es wird gesendet, sobald du wieder angemeldet bist.',
  },
  old: {
    en: 'You wrote it a while ago. Does it still fit?',
    de: 'Du hast es vor einer Weile geschrieben. Passt es noch?',
  },
  answered: {
    en: 'Somebody else has written meanwhile. Does it still fit?',
    de: 'Inzwischen hat jemand anders geschrieben. Passt es noch?',
  },
  lookFirst: {
    en: 'It may have arrived: look whether it is above.',
    de: 'Vielleicht ist es angekommen: Sieh nach, ob es weiter oben steht.',
  },
  sendNow: { en: 'Send now', de: 'Jetzt senden' },
  older: { en: 'Older messages', de: 'Ältere Nachrichten' },
  olderFailed: {
    en: 'Older messages were not loaded. Try again',
    de: 'Ältere Nachrichten wurden nicht geladen. Erneut versuchen',
  },
  toLatest: { en: 'To the latest message', de: 'Zur neuesten Nachricht' },
  newBelow: { en: (count: number) => `${count} new`, de: (count: number) => `${count} neu` },
  typing: { en: (name: string) => `${name} is typing…`, de: (name: string) => `${name} schreibt …` },
  noMessages: { en: 'No messages yet', de: 'Noch keine Nachrichten' },
  notAllowed: { en: 'Your role cannot read messages', de: 'Deine Rolle darf keine Nachrichten lesen' },
  scanning: { en: 'Being checked for malware', de: 'Wird auf Schadsoftware geprüft' },
  rejected: { en: 'Rejected', de: 'Abgelehnt' },
  deleted: { en: 'Deleted', de: 'Gelöscht' },
  download: { en: (name: string) => `Download ${name}`, de: (name: string) => `${name} herunterladen` },
  downloadFailed: { en: 'The file could not be loaded', de: 'Die Datei konnte nicht geladen werden' },
})
