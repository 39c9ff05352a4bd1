import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: common.workspace,
  intro: {
    en: 'Settings of this environment. Changes are stored at once.',
    de: 'Einstellungen dieser Umgebung. Änderungen werden sofort gespeichert.',
  },
  next: { en: 'Take the next conversation', de: 'Nächste übernehmen' },
  nextIntro: {
    en: 'The key n takes it from all departments. A saved view that is open has its own order.',
    de: 'Die Taste n nimmt sie aus allen Abteilungen. Eine offene gespeicherte Ansicht hat ihre eigene Reihenfolge.',
  },
  replies: { en: 'Conversations without a department', de: 'Konversationen ohne Abteilung' },
  repliesIntro: {
    en: 'Each department has this setting for its own conversations.',
    de: 'Für ihre eigenen Konversationen hat jede Abteilung diese Einstellung.',
  },
  saved: { en: 'Stored', de: 'Gespeichert' },
  notSaved: { en: 'The setting was not stored', de: 'Die Einstellung wurde nicht gespeichert' },
})
