import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: common.workspace,
  intro: {
    en: 'Settings of this environment. Changes are stored at once.',
    de: 'Einstellungen dieser Umgebung. Änderungen werden sofort gespeichert.',
  },
  claiming: { en: 'Conversations without a department', de: 'Konversationen ohne Abteilung' },
  claimingIntro: {
    en: 'A department has these settings for its own conversations.',
    de: 'Für ihre eigenen Konversationen hat jede Abteilung diese Einstellungen.',
  },
  saved: { en: 'Stored', de: 'Gespeichert' },
  notSaved: { en: 'The setting was not stored', de: 'Die Einstellung wurde nicht gespeichert' },
})
