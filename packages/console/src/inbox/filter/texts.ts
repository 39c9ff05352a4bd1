import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  filters: { en: 'Filters of this list', de: 'Filter dieser Liste' },
  findField: { en: 'Filter by…', de: 'Filtern nach …' },
  noField: { en: 'No such field', de: 'Kein solches Feld' },
  apply: { en: 'Apply', de: 'Anwenden' },
  saveView: { en: 'Save as view', de: 'Als Ansicht speichern' },
  viewFor: { en: 'Who sees it', de: 'Wer sie sieht' },
  everybody: { en: 'Everybody', de: 'Alle' },
  onlyMe: { en: 'Only me', de: 'Nur ich' },
  membersOf: {
    en: (department: string) => `Members of ${department}`,
    de: (department: string) => `Mitglieder von ${department}`,
  },
  withoutWords: {
    en: 'A view has no words to search for: they are left out.',
    de: 'Eine Ansicht hat keine Suchwörter: sie bleiben weg.',
  },
  taken: { en: 'There is a view with this name', de: 'Es gibt schon eine Ansicht mit diesem Namen' },
  viewSaved: { en: 'View saved', de: 'Ansicht gespeichert' },
  viewNotSaved: { en: 'The view was not saved', de: 'Die Ansicht wurde nicht gespeichert' },
})
