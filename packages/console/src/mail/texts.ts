import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'

/** Mail in words: of inbound mails, of messages, and of their deliveries. */
export const mailTexts = defineTexts({
  from: { en: 'From', de: 'Von' },
  to: { en: 'To', de: 'An' },
  cc: { en: 'Cc', de: 'Cc' },
  bcc: { en: 'Bcc', de: 'Bcc' },
  replyTo: { en: 'Reply to', de: 'Antwort an' },
  mailbox: { en: 'Mailbox', de: 'Postfach' },
  messageId: { en: 'Message-ID', de: 'Message-ID' },
  noMailbox: { en: 'No mailbox', de: 'Kein Postfach' },
  unknownSender: { en: 'Unknown sender', de: 'Unbekannter Absender' },
  noSubject: { en: 'No subject', de: 'Kein Betreff' },
  downloadRaw: { en: 'Download as it came', de: 'Im Original herunterladen' },
  notDownloaded: { en: 'The mail was not downloaded', de: 'Die E-Mail wurde nicht heruntergeladen' },

  // Whether the sender is who it says.
  authentication: { en: 'Sender', de: 'Absender' },
  notVerified: { en: 'Not verified', de: 'Nicht bestätigt' },
  by_dmarc: {
    en: 'Your mail server confirms that the mail is from this address.',
    de: 'Dein Mailserver bestätigt, dass die E-Mail von dieser Adresse kommt.',
  },
  by_reply: {
    en: 'It answers a mail that was sent to this address.',
    de: 'Sie antwortet auf eine E-Mail, die an diese Adresse ging.',
  },
  notReported: {
    en: 'No mail server that the mailbox trusts has checked the sender. Anybody may have written this.',
    de: 'Kein Mailserver, dem das Postfach vertraut, hat den Absender geprüft. Das kann jeder geschrieben haben.',
  },
  notConfirmed: {
    en: (server: string) =>
      `${server} could not confirm the sender. Somebody else may have written under this address.`,
    de: (server: string) =>
      `${server} konnte den Absender nicht bestätigen. Vielleicht hat jemand anders unter dieser Adresse geschrieben.`,
  },
  reportedBy: { en: 'Checked by', de: 'Geprüft von' },
  nobodyTrusted: { en: 'no trusted mail server', de: 'keinem vertrauten Mailserver' },
  notGiven: { en: 'not reported', de: 'nicht gemeldet' },

  // What became of a mail that came in.
  received: { en: 'Being processed', de: 'Wird verarbeitet' },
  began: { en: 'Began a conversation', de: 'Neue Konversation' },
  threaded: { en: 'Joined a conversation', de: 'In einer Konversation' },
  bounce: { en: 'Delivery report', de: 'Zustellbericht' },
  ignored: { en: 'Ignored', de: 'Ignoriert' },
  mailFailed: { en: 'Failed', de: 'Fehlgeschlagen' },
  own_message: { en: 'It is a mail that was sent from here.', de: 'Die E-Mail wurde von hier gesendet.' },
  automatic_reply: {
    en: 'It is an automatic reply, and belongs to no conversation.',
    de: 'Sie ist eine automatische Antwort und gehört zu keiner Konversation.',
  },
  blocked: { en: 'The sender is blocked.', de: 'Der Absender ist gesperrt.' },
  loop_limit: {
    en: 'Too many mails came from this address within an hour.',
    de: 'Von dieser Adresse kamen in einer Stunde zu viele E-Mails.',
  },
  too_many_hops: {
    en: 'It went through more than 100 servers: it runs in a circle.',
    de: 'Sie lief über mehr als 100 Server, also im Kreis.',
  },
  no_mailbox: {
    en: 'It is addressed to no mailbox. Choose one, and process it again.',
    de: 'Sie ist an kein Postfach gerichtet. Wähle eines, und verarbeite sie erneut.',
  },
  no_sender: { en: 'It has no sender that can be read.', de: 'Sie hat keinen lesbaren Absender.' },
  too_complex: { en: 'It has too many parts.', de: 'Sie hat zu viele Teile.' },
  unparseable: { en: 'It cannot be read.', de: 'Sie lässt sich nicht lesen.' },
  internal: {
    en: 'The server failed. Process it again.',
    de: 'Auf dem Server ist ein Fehler aufgetreten. Verarbeite sie erneut.',
  },

  // What was unusual.
  warnings: { en: 'Notes', de: 'Hinweise' },
  message_id_reused: {
    en: 'Another mail has the same Message-ID.',
    de: 'Eine andere E-Mail hat dieselbe Message-ID.',
  },
  token_invalid: {
    en: 'The token in its address is not a valid one.',
    de: 'Das Kennzeichen in der Adresse ist ungültig.',
  },
  participants_dropped: {
    en: 'It has more recipients than a conversation can have participants.',
    de: 'Sie hat mehr Empfänger, als eine Konversation Beteiligte haben kann.',
  },
  operator_unverified: {
    en: 'The address is that of a colleague, but nobody confirms that the colleague wrote it.',
    de: 'Die Adresse gehört einem Teammitglied, aber niemand bestätigt, dass es geschrieben hat.',
  },
  forward_unresolved: {
    en: 'The original sender of the forwarded mail was not found.',
    de: 'Der ursprüngliche Absender der Weiterleitung wurde nicht gefunden.',
  },
  body_truncated: {
    en: 'The text was too long, and is cut here. The original has all of it.',
    de: 'Der Text war zu lang und ist hier gekürzt. Das Original hat ihn ganz.',
  },
  headers_truncated: { en: 'The headers were too long.', de: 'Die Kopfzeilen waren zu lang.' },
  charset_unknown: {
    en: 'The character set is unknown: some characters may be wrong.',
    de: 'Der Zeichensatz ist unbekannt: Manche Zeichen sind vielleicht falsch.',
  },
  encrypted: {
    en: 'It is encrypted. The file is attached.',
    de: 'Sie ist verschlüsselt. Die Datei hängt an.',
  },
  tnef: {
    en: 'The file winmail.dat of Outlook could not be unpacked.',
    de: 'Die Datei winmail.dat von Outlook ließ sich nicht entpacken.',
  },

  // The way of a mail that goes out.
  queued: { en: 'Waiting to be sent', de: 'Wartet auf den Versand' },
  sent: { en: 'Sent', de: 'Gesendet' },
  delivered: { en: 'Delivered', de: 'Zugestellt' },
  undelivered: { en: 'Not sent', de: 'Nicht gesendet' },
  bounced: { en: 'Came back', de: 'Kam zurück' },
  mailbox_unverified: {
    en: 'the mailbox has not sent a test mail yet',
    de: 'das Postfach hat noch keine Testmail gesendet',
  },
  mailbox_paused: { en: 'the mailbox is paused', de: 'das Postfach ist pausiert' },
  file_scanning: { en: 'a file is being checked', de: 'eine Datei wird geprüft' },
  deferred: { en: 'the other server asked to wait', de: 'der andere Server bittet zu warten' },
  suppressed: { en: 'the address is suppressed', de: 'die Adresse ist gesperrt' },
  refused: { en: 'the other server refused it', de: 'der andere Server hat sie abgelehnt' },
  expired: { en: 'it was tried for too long', de: 'es wurde zu lange versucht' },
  outcome_unknown: {
    en: 'the connection was lost; it may have arrived',
    de: 'die Verbindung brach ab; vielleicht ist sie angekommen',
  },
  cancelled: { en: 'cancelled', de: 'abgebrochen' },
  limit: { en: 'the address got enough automatic mail', de: 'die Adresse bekam genug automatische E-Mails' },
  smtputf8: {
    en: 'the other server does not know such addresses',
    de: 'der andere Server kennt solche Adressen nicht',
  },
  recipients: {
    en: (count: number) => plural('en', count, { one: '# recipient', other: '# recipients' }),
    de: (count: number) => plural('de', count, { one: '# Empfänger', other: '# Empfänger' }),
  },
})

type Words = Partial<Record<string, unknown>>

/** The text of a code that the server may have more of; the code itself if there is none. */
export function wordOf(text: Words, code: string): string {
  const word = text[code]
  return typeof word === 'string' ? word : code
}
