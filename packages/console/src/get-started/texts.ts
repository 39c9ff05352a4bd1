import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'
import { operatorStatusTexts } from '../texts/values.ts'

export const texts = defineTexts({
  ...operatorStatusTexts,
  test: { en: 'Test', de: 'Test' },
  inLive: {
    en: 'You are in the live environment, where your team answers its customers.',
    de: 'Du bist in der Live-Umgebung, in der dein Team Kundschaft antwortet.',
  },
  inTest: {
    en: 'You are in the test environment, where nothing reaches a customer.',
    de: 'Du bist in der Testumgebung, aus der nichts an Kundschaft geht.',
  },
  other: {
    en: (name: string) => `The ${name} environment has its own conversations, people and keys.`,
    de: (name: string) => `Die Umgebung ${name} hat eigene Konversationen, Personen und Schlüssel.`,
  },
  switchTo: {
    en: (name: string) => `Switch to the ${name} environment`,
    de: (name: string) => `Zur Umgebung ${name} wechseln`,
  },
  notIn: {
    en: (name: string) =>
      `You are not an operator of the ${name} environment. An administrator of it can invite you.`,
    de: (name: string) =>
      `In der Umgebung ${name} gehörst du nicht zum Team. Wer sie verwaltet, kann dich einladen.`,
  },
  goOnline: { en: 'Set yourself online', de: 'Auf „Online“ stellen' },
  onlineHint: {
    en: 'Conversations are given only to operators who are online.',
    de: 'Konversationen werden nur an Teammitglieder verteilt, die online sind.',
  },
  onlineNow: { en: 'Set online', de: 'Online stellen' },
  onlineFailed: { en: 'Your status was not changed', de: 'Dein Status wurde nicht geändert' },
  demo: { en: 'Try it with an invented desk', de: 'Mit einem erfundenen Support ausprobieren' },
  demoHint: {
    en: 'Fills the test environment with departments, colleagues, macros and 300 conversations.',
    de: 'Füllt die Testumgebung mit Abteilungen, Teammitgliedern, Makros und 300 Konversationen.',
  },
  demoNow: { en: 'Fill the test environment', de: 'Testumgebung füllen' },
  demoDone: { en: 'The test environment has conversations.', de: 'Die Testumgebung hat Konversationen.' },
  openTest: { en: 'Open the test environment', de: 'Testumgebung öffnen' },
  key: { en: 'Connect your software', de: 'Deine Software anbinden' },
  keyHint: {
    en: 'Your software creates conversations by the API. It needs a key of the environment.',
    de: 'Deine Software legt Konversationen über die API an. Sie braucht einen Schlüssel der Umgebung.',
  },
  keys: { en: 'Keys', de: 'Schlüssel' },
  keysOf: {
    en: (count: number, names: string) =>
      plural('en', count, { one: `# key: ${names}`, other: `# keys: ${names}` }),
    de: (count: number, names: string) =>
      plural('de', count, { one: `# Schlüssel: ${names}`, other: `# Schlüssel: ${names}` }),
  },
  invite: { en: 'Invite colleagues', de: 'Team einladen' },
  inviteHint: {
    en: 'Create an operator for each colleague, and send them the link of “Invite”.',
    de: 'Lege für jede Person ein Teammitglied an, und schick ihr den Link von „Einladen“.',
  },
  colleagues: {
    en: (count: number) => plural('en', count, { one: '# colleague', other: '# colleagues' }),
    de: (count: number) =>
      plural('de', count, { one: '# weiteres Teammitglied', other: '# weitere Teammitglieder' }),
  },
  replies: { en: 'Who answers takes it', de: 'Wer antwortet, übernimmt' },
  repliesHint: {
    en: 'Each department has this setting for its own conversations, and it is on in those that are created in the console.',
    de: 'Für ihre eigenen Konversationen hat jede Abteilung diese Einstellung; in denen, die in der Konsole angelegt werden, ist sie an.',
  },
  repliesFailed: { en: 'The setting was not stored', de: 'Die Einstellung wurde nicht gespeichert' },
  keyboard: { en: 'Work by keyboard', de: 'Mit der Tastatur arbeiten' },
  keyboardHint: {
    en: 'One key lists all others; another finds commands, people and conversations.',
    de: 'Eine Taste zeigt alle anderen; eine andere findet Befehle, Personen und Konversationen.',
  },
  done: { en: 'Done', de: 'Erledigt' },
  toInbox: { en: 'Open the inbox', de: 'Zum Eingang' },
  closeForGood: { en: 'Do not show this again', de: 'Nicht mehr zeigen' },
  again: {
    en: 'The command “Get started” opens this page again.',
    de: 'Der Befehl „Erste Schritte“ öffnet diese Seite wieder.',
  },
})
