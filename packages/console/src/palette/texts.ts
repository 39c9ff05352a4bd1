import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  paletteHint: {
    en: 'Search everything, or paste an id',
    de: 'Alles durchsuchen oder ID einfügen',
  },
  recent: { en: 'Recent', de: 'Zuletzt' },
  searchFailed: {
    en: (reason: string) => `Not everything was searched: ${reason}`,
    de: (reason: string) => `Es wurde nicht alles durchsucht: ${reason}`,
  },
})
