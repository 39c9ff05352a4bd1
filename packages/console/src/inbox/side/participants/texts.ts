import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  none: { en: 'Nobody else takes part.', de: 'Sonst ist niemand beteiligt.' },
  add: { en: 'Add a participant', de: 'Beteiligte hinzufügen' },
  find: { en: 'Name, address or external id', de: 'Name, Adresse oder externe ID' },
  notChanged: { en: 'The participants were not changed', de: 'Die Beteiligten wurden nicht geändert' },
  removeTitle: { en: 'Remove this participant?', de: 'Aus der Konversation entfernen?' },
  removeHint: {
    en: (name: string) =>
      `${name} can then no longer read this conversation or write to it. Messages that ${name} wrote stay.`,
    de: (name: string) =>
      `${name} kann diese Konversation dann nicht mehr lesen und nicht mehr schreiben. Bisherige Nachrichten bleiben.`,
  },
})
