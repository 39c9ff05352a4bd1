import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  none: { en: 'No tags yet.', de: 'Noch keine Tags.' },
  add: { en: 'Add a tag', de: 'Tag hinzufügen' },
  find: { en: 'Find a tag, or type a new one', de: 'Tag suchen oder neu eingeben' },
  create: { en: (name: string) => `Create “${name}”`, de: (name: string) => `„${name}“ anlegen` },
  notChanged: { en: 'The tags were not changed', de: 'Die Tags wurden nicht geändert' },
})
