import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  notNumber: { en: 'Enter a number', de: 'Gib eine Zahl ein' },
  openLink: { en: 'Open', de: 'Öffnen' },
  apply: { en: 'Apply', de: 'Anwenden' },
  archivedOption: {
    en: (label: string) => `${label} (archived)`,
    de: (label: string) => `${label} (archiviert)`,
  },
})
