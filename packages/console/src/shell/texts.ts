import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'
import { operatorStatusTexts, roleTexts } from '../texts/values.ts'

export const texts = defineTexts({
  noConnection: {
    en: 'No connection to the server. What you send waits, and is sent when it is back.',
    de: 'Keine Verbindung zum Server. Was du sendest, wartet und geht hinaus, sobald sie wieder da ist.',
  },
  ...operatorStatusTexts,
  ...roleTexts,
  test: { en: 'Test', de: 'Test' },
  testRibbon: { en: 'Test environment', de: 'Testumgebung' },
  switchTo: {
    en: (name: string) => `Switch to the ${name} environment`,
    de: (name: string) => `Zur Umgebung ${name} wechseln`,
  },
  environment: { en: 'Environment', de: 'Umgebung' },
  general: { en: 'Everywhere', de: 'Überall' },
  theme: { en: 'Theme', de: 'Farbschema' },
  go: { en: 'Go to', de: 'Gehe zu' },
  account: { en: 'Account', de: 'Konto' },
  themeSystem: { en: 'Theme of the system', de: 'Farbschema des Systems' },
  themeLight: { en: 'Light theme', de: 'Helles Farbschema' },
  themeDark: { en: 'Dark theme', de: 'Dunkles Farbschema' },
  languageNamed: { en: (name: string) => `Language: ${name}`, de: (name: string) => `Sprache: ${name}` },
  languageFailed: {
    en: 'The language could not be loaded',
    de: 'Die Sprache konnte nicht geladen werden',
  },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  signOutTitle: { en: 'Sign out with unsent texts?', de: 'Mit ungesendeten Texten abmelden?' },
  unsentMessages: {
    en: (count: number) =>
      plural('en', count, { one: '# message was not sent', other: '# messages were not sent' }),
    de: (count: number) =>
      plural('de', count, {
        one: '# Nachricht wurde nicht gesendet',
        other: '# Nachrichten wurden nicht gesendet',
      }),
  },
  unsentDrafts: {
    en: (count: number) => plural('en', count, { one: '# draft', other: '# drafts' }),
    de: (count: number) => plural('de', count, { one: '# Entwurf', other: '# Entwürfe' }),
  },
  unsentKept: {
    en: 'If you keep them, they stay in this browser until you sign in again. Nothing is sent until then.',
    de: 'Wenn du sie behältst, bleiben sie in diesem Browser, bis du dich wieder anmeldest. Bis dahin wird nichts gesendet.',
  },
  staySignedIn: { en: 'Stay signed in', de: 'Angemeldet bleiben' },
  keepAndSignOut: { en: 'Keep and sign out', de: 'Behalten und abmelden' },
  deleteAndSignOut: { en: 'Delete and sign out', de: 'Löschen und abmelden' },
  signOutFailed: { en: 'You are still signed in', de: 'Du bist noch angemeldet' },
  menu: { en: 'Menu', de: 'Menü' },
  skip: { en: 'Skip to the content', de: 'Zum Inhalt springen' },
  navigation: { en: 'Main navigation', de: 'Hauptnavigation' },
  status: { en: 'Your status', de: 'Dein Status' },
  setStatus: {
    en: (status: string) => `Set yourself: ${status}`,
    de: (status: string) => `Dein Status: ${status}`,
  },
  awayAfter: {
    en: (minutes: string) => `Away after ${minutes} min without input`,
    de: (minutes: string) => `Abwesend nach ${minutes} Min. ohne Eingabe`,
  },
  neverAway: { en: 'Never away by itself', de: 'Nie von selbst abwesend' },
  passedOver: {
    en: (status: string) => `Your status is “${status}”: new conversations pass you over.`,
    de: (status: string) => `Dein Status ist „${status}“: Neue Konversationen gehen an dir vorbei.`,
  },
  goOnline: { en: 'Go online', de: 'Online gehen' },
  onlyIn: {
    en: (environment: string) => `This page exists in the ${environment} environment only`,
    de: (environment: string) => `Diese Seite gibt es nur in der ${environment}-Umgebung`,
  },
  closed: {
    en: (environment: string) => `You are not an operator of the ${environment} environment`,
    de: (environment: string) => `Du gehörst in der ${environment}-Umgebung nicht zum Team`,
  },
  closedHint: {
    en: 'An administrator of that environment can invite you.',
    de: 'Wer sie verwaltet, kann dich einladen.',
  },
  notAllowed: { en: 'Your role does not include this page', de: 'Deine Rolle umfasst diese Seite nicht' },
})
