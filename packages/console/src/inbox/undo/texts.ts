import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  undone: { en: 'Undone', de: 'Rückgängig gemacht' },
  undoFailed: { en: 'It was not undone', de: 'Es wurde nicht rückgängig gemacht' },
  changedSince: {
    en: 'Somebody has changed it since.',
    de: 'Inzwischen hat jemand etwas daran geändert.',
  },
})
