import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  holds: { en: 'Holds', de: 'Zurückstellungen' },
  history: { en: 'Other conversations', de: 'Andere Konversationen' },
  participants: { en: 'Participants', de: 'Beteiligte' },
  notSaved: { en: 'The change was not saved', de: 'Die Änderung wurde nicht gespeichert' },
  changedMeanwhile: {
    en: (value: string) => `Somebody changed this meanwhile. It is now: ${value}`,
    de: (value: string) => `Jemand hat das inzwischen geändert. Es ist jetzt: ${value}`,
  },
  overwrite: { en: 'Save mine anyway', de: 'Meines trotzdem speichern' },
  requiredToResolve: { en: 'Needed to resolve', de: 'Zum Lösen nötig' },
  unknown: { en: 'Unknown', de: 'Unbekannt' },
  noName: { en: 'No name', de: 'Ohne Namen' },
  until: { en: 'until', de: 'bis' },
  closedHint: {
    en: 'A closed conversation can no longer be changed, except for its tags.',
    de: 'Eine geschlossene Konversation lässt sich nicht mehr ändern, nur ihre Tags.',
  },
})
