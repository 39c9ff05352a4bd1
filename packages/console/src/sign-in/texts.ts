import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  signIn: { en: 'Sign in', de: 'Anmelden' },
  title: { en: 'Sign in to Backline', de: 'Bei Backline anmelden' },
  byLink: {
    en: 'Open the link of your invitation, or the one that the server printed at its start. An administrator can invite you, or make a link on the server:',
    de: 'Öffne den Link deiner Einladung oder den, den der Server beim Start ausgegeben hat. Die Administration kann dich einladen oder auf dem Server einen Link erzeugen:',
  },
  linkHint: {
    en: 'with the e-mail address of an operator. Before there is an administrator, the link is in the terminal in which the server was started, or else in the file console-link.txt in its data directory; the command without --operator makes a new one.',
    de: 'mit der E-Mail-Adresse eines Teammitglieds. Solange es keine Administration gibt, steht der Link im Terminal, in dem der Server gestartet wurde, sonst in der Datei console-link.txt in seinem Datenverzeichnis; ohne --operator erzeugt der Befehl einen neuen.',
  },
  ended: {
    en: 'Your session has ended. Sign in again to return to the page that was open.',
    de: 'Deine Sitzung ist abgelaufen. Melde dich wieder an, um zur offenen Seite zurückzukehren.',
  },
  byProvider: { en: 'Sign in with your company account', de: 'Mit dem Firmenkonto anmelden' },
  signingIn: { en: 'Signing you in…', de: 'Du wirst angemeldet …' },
  welcome: { en: 'Welcome to Backline', de: 'Willkommen bei Backline' },
  who: {
    en: 'You are the first administrator. Conversations and the audit log will show your name.',
    de: 'Du richtest Backline ein. Konversationen und Prüfprotokoll zeigen deinen Namen.',
  },
  name: { en: 'Your name', de: 'Dein Name' },
  email: { en: 'Your e-mail address', de: 'Deine E-Mail-Adresse' },
  start: { en: 'Open the console', de: 'Konsole öffnen' },
  linkFailed: {
    en: 'This link has expired or was used already. Ask for a new one.',
    de: 'Dieser Link ist abgelaufen oder wurde schon benutzt. Lass dir einen neuen geben.',
  },
  linkRevoked: {
    en: 'This link was revoked, or a newer one has replaced it. Ask for a new one.',
    de: 'Dieser Link wurde widerrufen oder durch einen neueren ersetzt. Lass dir einen neuen geben.',
  },
  denied: { en: 'The sign-in was cancelled.', de: 'Die Anmeldung wurde abgebrochen.' },
  expired: {
    en: 'The sign-in took too long. Please try again.',
    de: 'Die Anmeldung hat zu lange gedauert. Bitte versuche es erneut.',
  },
  state: {
    en: 'This sign-in belongs to another browser window. Please try again.',
    de: 'Diese Anmeldung gehört zu einem anderen Fenster. Bitte versuche es erneut.',
  },
  not_verified: {
    en: 'Your provider has not verified your e-mail address.',
    de: 'Dein Anbieter hat deine E-Mail-Adresse nicht bestätigt.',
  },
  no_operator: {
    en: 'There is no operator with your e-mail address. Ask an administrator to add you.',
    de: 'Es gibt kein Teammitglied mit deiner E-Mail-Adresse. Bitte jemanden aus der Administration, dich anzulegen.',
  },
  unavailable: {
    en: 'The sign-in provider does not answer. Please try again later.',
    de: 'Der Anmeldedienst antwortet nicht. Bitte versuche es später erneut.',
  },
})
