import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  intro: {
    en: 'What readers found helpful, the least helpful first. A few bad votes weigh less than many.',
    de: 'Was beim Lesen geholfen hat, das am wenigsten Hilfreiche zuerst. Wenige schlechte Stimmen zählen weniger als viele.',
  },
  content: { en: 'Article or FAQ', de: 'Artikel oder FAQ' },
  all: { en: 'Articles and FAQs', de: 'Artikel und FAQs' },
  article: { en: 'Article', de: 'Artikel' },
  faq: { en: 'FAQ', de: 'FAQ' },
  unhelpful: { en: 'Not helpful', de: 'Nicht hilfreich' },
  helpful: { en: 'Helpful', de: 'Hilfreich' },
  share: { en: 'Found it helpful', de: 'Hat geholfen' },
  none: { en: 'Nobody has voted yet', de: 'Noch hat niemand bewertet' },
  noneHint: {
    en: 'Votes come from your help center, when readers click Helpful or Not helpful there.',
    de: 'Bewertungen kommen aus dem Hilfebereich, wenn dort jemand auf Hilfreich oder Nicht hilfreich klickt.',
  },
  unvoted: {
    en: (count: number) =>
      plural('en', count, { one: '# more has no votes yet', other: '# more have no votes yet' }),
    de: (count: number) =>
      plural('de', count, {
        one: '# weitere hat noch keine Bewertung',
        other: '# weitere haben noch keine Bewertung',
      }),
  },
})
