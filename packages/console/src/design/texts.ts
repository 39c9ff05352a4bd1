import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  cancel: { en: 'Cancel', de: 'Abbrechen' },
  close: { en: 'Close', de: 'Schließen' },
  loading: { en: 'Loading', de: 'Wird geladen' },
  failed: { en: 'This could not be loaded', de: 'Das konnte nicht geladen werden' },
  retry: { en: 'Try again', de: 'Erneut versuchen' },
})
