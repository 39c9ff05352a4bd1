import { defineTexts } from '../../texts/define.ts'
import { priorityTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  ...priorityTexts,
  title: { en: 'Categories', de: 'Kategorien' },
  intro: {
    en: 'A tree of subjects. A category can choose the department and the priority of new conversations.',
    de: 'Ein Baum von Themen. Eine Kategorie kann Abteilung und Priorität neuer Konversationen bestimmen.',
  },
  create: { en: 'New category', de: 'Neue Kategorie' },
  emptyHint: { en: 'Begin with the main subjects of your desk.', de: 'Beginne mit den wichtigsten Themen.' },
  parent: { en: 'Parent category', de: 'Übergeordnete Kategorie' },
  noParent: { en: 'Nothing: it is a main category', de: 'Nichts: Es ist eine Hauptkategorie' },
  descriptionHint: { en: 'What belongs in the category.', de: 'Was in die Kategorie gehört.' },
  defaults: { en: 'New conversations', de: 'Neue Konversationen' },
  defaultsIntro: {
    en: 'Apply if a conversation is created in this category without them.',
    de: 'Gelten, wenn eine Konversation in dieser Kategorie ohne diese Angaben entsteht.',
  },
  noPriority: { en: 'Normal, as always', de: 'Normal, wie sonst' },
  isPublic: { en: 'End users can choose it', de: 'Endkunden können sie wählen' },
  public: { en: 'public', de: 'öffentlich' },
  addBelow: { en: 'New subcategory', de: 'Neue Unterkategorie' },
  indent: { en: 'Move below the one above', de: 'Unter die darüber stellen' },
  outdent: { en: 'Move one level up', de: 'Eine Ebene höher' },
  keys: {
    en: 'Alt with the arrow keys moves the category that has the focus.',
    de: 'Alt mit den Pfeiltasten verschiebt die Kategorie, die den Fokus hat.',
  },
  fold: {
    en: (name: string) => `Subcategories of ${name}`,
    de: (name: string) => `Unterkategorien von ${name}`,
  },
  moved: {
    en: (name: string, path: string) => `Moved: ${path}${name}`,
    de: (name: string, path: string) => `Verschoben: ${path}${name}`,
  },
  notMoved: { en: 'The category was not moved', de: 'Die Kategorie wurde nicht verschoben' },
})
