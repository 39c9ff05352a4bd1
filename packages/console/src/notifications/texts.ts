import { defineTexts } from '../texts/define.ts'
import { pageTexts } from '../texts/pages.ts'
import { plural } from '../texts/plural.ts'

/** Texts of the bell. */
export const texts = defineTexts({
  ...pageTexts,
  goTo: { en: 'Go to', de: 'Gehe zu' },
  unread: {
    en: (count: number) =>
      plural('en', count, { one: '# unread notification', other: '# unread notifications' }),
    de: (count: number) =>
      plural('de', count, { one: '# ungelesene Benachrichtigung', other: '# ungelesene Benachrichtigungen' }),
  },
})
