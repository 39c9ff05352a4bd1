import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  colleagues: { en: 'Colleagues who are here', de: 'Wer gerade hier ist' },
  colleague: { en: 'A colleague', de: 'Jemand aus dem Team' },
  viewing: {
    en: (name: string) => `${name} is looking at this`,
    de: (name: string) => `${name} sieht sich das an`,
  },
  replying: { en: (name: string) => `${name} is replying`, de: (name: string) => `${name} antwortet gerade` },
  manyReplying: {
    en: (count: number) => `${count} colleagues are replying`,
    de: (count: number) => `${count} aus dem Team antworten`,
  },
  more: { en: (count: number) => `${count} more`, de: (count: number) => `${count} weitere` },
})
