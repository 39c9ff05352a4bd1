import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Mail that arrived', de: 'Eingegangene Mails' },
  intro: {
    en: 'Every mail as it came, and what became of it. Nothing is lost: what failed or was ignored can be processed again.',
    de: 'Jede E-Mail im Original, und was daraus wurde. Nichts geht verloren: Fehlgeschlagenes und Ignoriertes lässt sich erneut verarbeiten.',
  },
  noneFailed: { en: 'No mail has failed', de: 'Keine E-Mail ist fehlgeschlagen' },
  none: { en: 'No mail', de: 'Keine E-Mails' },
  noneHint: {
    en: 'Set up a mailbox, and send it a mail.',
    de: 'Richte ein Postfach ein, und sende ihm eine E-Mail.',
  },
  failedAndIgnored: { en: 'Failed and ignored', de: 'Fehlgeschlagen oder ignoriert' },
  anyMailbox: { en: 'All mailboxes', de: 'Alle Postfächer' },
  fromAddress: { en: 'From this address', de: 'Von dieser Adresse' },
  mail: { en: 'Mail', de: 'E-Mail' },
  arrived: { en: 'Arrived', de: 'Eingang' },
  reprocess: { en: 'Process again', de: 'Erneut verarbeiten' },
  reprocessIn: { en: 'For the mailbox', de: 'Für das Postfach' },
  asAddressed: { en: 'As it is addressed', de: 'Wie adressiert' },
  reprocessed: { en: 'The mail is processed again', de: 'Die E-Mail wird erneut verarbeitet' },
  notReprocessed: {
    en: 'The mail was not processed again',
    de: 'Die E-Mail wurde nicht erneut verarbeitet',
  },
  size: { en: 'Size', de: 'Größe' },
  returnPath: { en: 'Return path', de: 'Rücksendeadresse' },
  nullPath: { en: 'none (a report)', de: 'keine (ein Bericht)' },
  duplicates: { en: 'Came again', de: 'Kam erneut' },
  times: {
    en: (count: number) => `${count} times`,
    de: (count: number) => `${count}-mal`,
  },
  openConversation: { en: 'Open the conversation', de: 'Konversation öffnen' },
  autoReply: { en: 'Automatic reply', de: 'Automatische Antwort' },
  sentReply: { en: 'Sent', de: 'Gesendet' },
  limited: {
    en: 'Not sent: the address got enough automatic mail',
    de: 'Nicht gesendet: Die Adresse bekam genug automatische E-Mails',
  },
  unauthenticated: {
    en: 'Not sent: the sender is not verified',
    de: 'Nicht gesendet: Der Absender ist nicht bestätigt',
  },
  dropped: { en: 'Files left out', de: 'Weggelassene Dateien' },
  droppedType: { en: 'type not allowed', de: 'Typ nicht erlaubt' },
  droppedSize: { en: 'too large', de: 'zu groß' },
  droppedCount: { en: 'more than 25 files', de: 'mehr als 25 Dateien' },
  id: { en: 'ID', de: 'ID' },
})
