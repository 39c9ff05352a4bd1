import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  title: common.tags,
  intro: {
    en: 'Words that mark conversations, articles and FAQs.',
    de: 'Wörter, die Konversationen, Artikel und FAQs kennzeichnen.',
  },
  create: { en: 'New tag', de: 'Neues Tag' },
  emptyHint: {
    en: 'Tags also appear here when somebody first uses them.',
    de: 'Tags erscheinen hier auch, sobald jemand sie zum ersten Mal benutzt.',
  },
  color: { en: 'Colour', de: 'Farbe' },
  merge: { en: 'Merge into another…', de: 'Mit anderem zusammenführen …' },
  mergeTitle: { en: (name: string) => `Merge “${name}”`, de: (name: string) => `„${name}“ zusammenführen` },
  into: { en: 'Into', de: 'In' },
  choose: { en: 'Choose a tag', de: 'Tag wählen' },
  mergeNow: common.merge,
  happens: { en: 'What happens', de: 'Was geschieht' },
  gets: {
    en: (count: number, from: string, into: string) =>
      `${plural('en', count, { one: '# conversation gets', other: '# conversations get' })} “${into}” in place of “${from}”.`,
    de: (count: number, from: string, into: string) =>
      `${plural('de', count, { one: '# Konversation bekommt', other: '# Konversationen bekommen' })} „${into}“ statt „${from}“.`,
  },
  elsewhere: {
    en: 'So do articles, FAQs and SLAs that have it.',
    de: 'Ebenso Artikel, FAQs und SLAs, die es haben.',
  },
  alias: {
    en: (from: string, into: string) =>
      `“${from}” is deleted. Its name leads to “${into}” from then on, in filters as well.`,
    de: (from: string, into: string) =>
      `„${from}“ wird gelöscht. Sein Name führt dann zu „${into}“, auch in Filtern.`,
  },
  noUndo: { en: 'This cannot be undone.', de: 'Das lässt sich nicht rückgängig machen.' },
  merged: {
    en: (from: string, into: string) => `“${from}” is now “${into}”`,
    de: (from: string, into: string) => `„${from}“ ist jetzt „${into}“`,
  },
  notMerged: { en: 'The tags were not merged', de: 'Die Tags wurden nicht zusammengeführt' },
})
