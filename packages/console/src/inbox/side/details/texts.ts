import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  fieldChanged: { en: (name: string) => `Changed: ${name}`, de: (name: string) => `Geändert: ${name}` },
  assignment: { en: 'Assigned', de: 'Zugewiesen' },
  startedBy: {
    en: (time: string, channel: string) => `Started ${time} · ${channel}`,
    de: (time: string, channel: string) => `Begonnen ${time} · ${channel}`,
  },
  round_robin: { en: 'In turn', de: 'Reihum' },
  least_busy: { en: 'Least busy', de: 'Am wenigsten ausgelastet' },
  id: { en: 'ID', de: 'ID' },
  followUpOf: { en: 'Follows', de: 'Folgt auf' },
  mergedInto: { en: 'Merged into', de: 'Aufgegangen in' },
  theConversation: { en: 'another conversation', de: 'eine andere Konversation' },
  archived: { en: (name: string) => `${name} (archived)`, de: (name: string) => `${name} (archiviert)` },
})
