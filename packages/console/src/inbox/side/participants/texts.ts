import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  none: { en: 'Nobody else takes part.', de: 'Sonst ist niemand beteiligt.' },
  add: { en: 'Add a participant', de: 'Beteiligte hinzufügen' },
  find: { en: 'Name, address or external id', de: 'Name, Adresse oder externe ID' },
  notConfirmed: { en: 'Not confirmed', de: 'Nicht bestätigt' },
  notConfirmedHint: {
    en: 'Nobody vouches for those who are not confirmed: they wrote themselves in, or a mail named them. They get no mail and see nothing of the conversation.',
    de: 'Für Unbestätigte bürgt niemand: Sie haben sich selbst hineingeschrieben, oder eine E-Mail nannte sie. Sie bekommen keine E-Mails und sehen nichts von der Konversation.',
  },
  confirm: { en: 'Confirm', de: 'Bestätigen' },
  confirmNamed: { en: (name: string) => `Confirm ${name}`, de: (name: string) => `${name} bestätigen` },
  notChanged: { en: 'The participants were not changed', de: 'Die Beteiligten wurden nicht geändert' },
  removeTitle: { en: 'Remove this participant?', de: 'Aus der Konversation entfernen?' },
  removeHint: {
    en: (name: string) =>
      `${name} can then no longer read this conversation or write to it. Messages that ${name} wrote stay.`,
    de: (name: string) =>
      `${name} kann diese Konversation dann nicht mehr lesen und nicht mehr schreiben. Bisherige Nachrichten bleiben.`,
  },
})
