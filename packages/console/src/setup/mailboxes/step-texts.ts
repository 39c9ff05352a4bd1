import { defineTexts } from '../../texts/define.ts'

/** How a mailbox is connected, step by step. */
export const stepTexts = defineTexts({
  wayIn: { en: '1. Let mail come in', de: '1. E-Mails empfangen' },
  testIn: { en: '2. Test mail in', de: '2. Testmail herein' },
  wayOut: { en: '3. Let mail go out', de: '3. E-Mails senden' },
  testOut: { en: '4. Test mail out', de: '4. Testmail hinaus' },
  changeSending: { en: 'Change', de: 'Ändern' },

  // The way in.
  wayInIntro: { en: 'Choose one of three ways.', de: 'Wähle einen von drei Wegen.' },
  ownServer: { en: 'Your mail server', de: 'Eigener Mailserver' },
  provider: { en: 'Provider', de: 'Anbieter' },
  fetching: { en: 'IMAP account', de: 'IMAP-Konto' },
  mx: { en: 'DNS: MX', de: 'DNS: MX' },
  senderDns: { en: 'DNS: SPF, DKIM, DMARC', de: 'DNS: SPF, DKIM, DMARC' },
  mxOwn: {
    en: 'The MX record of the domain names your mail server. It stays as it is if mail already arrives there.',
    de: 'Der MX-Eintrag der Domain nennt deinen Mailserver. Kommen dort schon E-Mails an, bleibt er, wie er ist.',
  },
  listen: {
    en: 'Backline listens for LMTP. Set this where the server runs, and restart it.',
    de: 'Backline nimmt LMTP an. Setze das dort, wo der Server läuft, und starte ihn neu.',
  },
  settings: { en: 'Settings of the server', de: 'Einstellungen des Servers' },
  postfix: {
    en: 'Postfix passes the mail on, by the ID of the mailbox: so it is never mistaken for that of another environment. Then run postmap on both files, and postfix reload.',
    de: 'Postfix gibt die E-Mails weiter, mit der ID des Postfachs: So werden sie nie mit denen einer anderen Umgebung verwechselt. Rufe danach postmap für beide Dateien auf, und postfix reload.',
  },
  mxProvider: {
    en: 'The MX record of the domain names the provider, which tells you its host.',
    de: 'Der MX-Eintrag der Domain nennt den Anbieter, der dir seinen Host sagt.',
  },
  webhook: {
    en: 'Let its webhook post each mail as it came (raw MIME), with an API key that has the scope inbound_emails:write. Providers that cannot set headers need a few lines of your own between.',
    de: 'Lass seinen Webhook jede E-Mail im Original senden (raw MIME), mit einem API-Schlüssel mit dem Recht inbound_emails:write. Wo der Anbieter keine Header setzen kann, brauchst du ein paar eigene Zeilen dazwischen.',
  },
  request: { en: 'The request', de: 'Die Anfrage' },
  fetchText: {
    en: 'Run this as a service. It takes unseen mail from the account, and marks it as seen once Backline has stored it. The API key needs the scope inbound_emails:write.',
    de: 'Lass das als Dienst laufen. Es holt ungelesene E-Mails aus dem Konto und markiert sie als gelesen, sobald Backline sie gespeichert hat. Der API-Schlüssel braucht das Recht inbound_emails:write.',
  },
  command: { en: 'The command', de: 'Der Befehl' },
  guide: { en: 'More in the guide to e-mail', de: 'Mehr in der Anleitung zu E-Mail' },

  // The test of the way in.
  testInText: {
    en: (address: string) => `Send a mail from an account elsewhere to ${address}. It appears here.`,
    de: (address: string) => `Sende von einem anderen Konto eine E-Mail an ${address}. Sie erscheint hier.`,
  },
  wait: { en: 'Wait for a mail', de: 'Auf eine E-Mail warten' },
  waiting: { en: 'Waiting for a mail…', de: 'Warten auf eine E-Mail …' },
  stop: { en: 'Stop waiting', de: 'Nicht mehr warten' },
  arrived: { en: 'The mail has arrived', de: 'Die E-Mail ist angekommen' },
  testMail: { en: 'The test mail', de: 'Die Testmail' },
  lastMail: { en: 'The last mail', de: 'Die letzte E-Mail' },
  noMailYet: { en: 'No mail has come to this mailbox yet.', de: 'An dieses Postfach kam noch keine E-Mail.' },
  notTrusted: {
    en: (server: string) =>
      `${server} has checked the sender, but this mailbox does not trust it, so its results do not count.`,
    de: (server: string) =>
      `${server} hat den Absender geprüft, aber dieses Postfach vertraut ihm nicht: Das Ergebnis zählt nicht.`,
  },
  reported: { en: 'It reported', de: 'Es meldete' },
  trustOnly: {
    en: 'Trust it only if it is your own mail server, and if it removes such headers from mail that comes from outside.',
    de: 'Vertraue ihm nur, wenn es dein eigener Mailserver ist und solche Kopfzeilen aus E-Mails von außen entfernt.',
  },
  trust: { en: (server: string) => `Trust ${server}`, de: (server: string) => `${server} vertrauen` },
  trusts: {
    en: (server: string) => `${server} is trusted from now on`,
    de: (server: string) => `${server} wird ab jetzt vertraut`,
  },
  nothingReported: {
    en: 'No mail server has checked the sender: the mail has no header Authentication-Results. Let yours check SPF, DKIM and DMARC (Rspamd, OpenDMARC), so that people are recognized.',
    de: 'Kein Mailserver hat den Absender geprüft: Die E-Mail hat keine Kopfzeile Authentication-Results. Lass deinen SPF, DKIM und DMARC prüfen (Rspamd, OpenDMARC), damit Personen erkannt werden.',
  },
  became: { en: 'Became', de: 'Wurde' },
  openConversation: { en: 'Open the conversation', de: 'Konversation öffnen' },
  allMail: { en: 'All mail that arrived', de: 'Alle eingegangenen Mails' },

  // The way out.
  dnsOut: {
    en: 'So that others accept the mail, the DNS of the domain names who may send for it (SPF), the key of your relay (DKIM), and what holds for other mail (DMARC). Your relay tells you the values in angle brackets.',
    de: 'Damit andere die E-Mails annehmen, nennt das DNS der Domain, wer für sie senden darf (SPF), den Schlüssel deines Relays (DKIM), und was für andere E-Mails gilt (DMARC). Die Werte in spitzen Klammern nennt dir dein Relay.',
  },
  clientText: {
    en: 'Your own software sends. The event message.created has all of the mail in email and body_html. Report what became of it by this request; until then the mail is shown as waiting.',
    de: 'Deine eigene Software sendet. Das Ereignis message.created enthält die ganze E-Mail in email und body_html. Melde mit dieser Anfrage, was daraus wurde; bis dahin gilt die E-Mail als wartend.',
  },
  clientHint: {
    en: 'To let Backline send by SMTP, choose “Change”.',
    de: 'Soll Backline per SMTP senden, wähle „Ändern“.',
  },

  // The test of the way out.
  testOutText: {
    en: 'Sends a mail now, and shows what the relay answers. Until it has succeeded once, answers wait.',
    de: 'Sendet jetzt eine E-Mail und zeigt, was das Relay antwortet. Bis das einmal gelungen ist, warten Antworten.',
  },
  testTo: { en: 'Send it to', de: 'Senden an' },
  sendTest: { en: 'Send the test mail', de: 'Testmail senden' },
  sendingTest: { en: 'Sending…', de: 'Wird gesendet …' },
  notTested: { en: 'The test mail was not sent', de: 'Die Testmail wurde nicht gesendet' },
  succeeded: {
    en: 'The relay has taken the mail. Look whether it has arrived.',
    de: 'Das Relay hat die E-Mail angenommen. Sieh nach, ob sie angekommen ist.',
  },
  resolve: {
    en: 'The host of the relay was not found, or its address is not allowed.',
    de: 'Der Host des Relays wurde nicht gefunden, oder seine Adresse ist nicht erlaubt.',
  },
  connect: { en: 'There is no connection to the relay.', de: 'Es besteht keine Verbindung zum Relay.' },
  tls: {
    en: 'The connection could not be encrypted: look at the encryption, the port and the certificate.',
    de: 'Die Verbindung ließ sich nicht verschlüsseln: Prüfe Verschlüsselung, Port und Zertifikat.',
  },
  auth: {
    en: 'The relay refused the user name or the password.',
    de: 'Das Relay hat Benutzername oder Passwort abgelehnt.',
  },
  sender: {
    en: 'The relay does not send for this address.',
    de: 'Das Relay sendet nicht für diese Adresse.',
  },
  recipient: {
    en: 'The relay refused the recipient.',
    de: 'Das Relay hat den Empfänger abgelehnt.',
  },
  data: { en: 'The relay refused the mail itself.', de: 'Das Relay hat die E-Mail selbst abgelehnt.' },
  answer: { en: 'Answer of the relay', de: 'Antwort des Relays' },
})
