import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  bold: { en: 'Bold', de: 'Fett' },
  italic: { en: 'Italic', de: 'Kursiv' },
  heading: { en: 'Heading', de: 'Überschrift' },
  link: { en: 'Link', de: 'Link' },
  bullets: { en: 'List', de: 'Liste' },
  numbers: { en: 'Numbered list', de: 'Nummerierte Liste' },
  quote: { en: 'Quote', de: 'Zitat' },
  code: { en: 'Code', de: 'Code' },
  formatting: { en: 'Formatting', de: 'Formatierung' },
  notDuration: {
    en: 'This is not a duration. Write it like 2 h, 30 min or 1 d 4 h.',
    de: 'Das ist keine Dauer. Schreib sie wie 2 h, 30 min oder 1 d 4 h.',
  },
  notDate: {
    en: (example: string) => `This is not a date. Write it like ${example}.`,
    de: (example: string) => `Das ist kein Datum. Schreib es wie ${example}.`,
  },
  notTime: {
    en: (example: string) => `This is not a time. Write it like ${example}.`,
    de: (example: string) => `Das ist keine Uhrzeit. Schreib sie wie ${example}.`,
  },
  tooEarly: { en: (least: string) => `Not before ${least}.`, de: (least: string) => `Nicht vor ${least}.` },
  tooLate: { en: (most: string) => `Not after ${most}.`, de: (most: string) => `Nicht nach ${most}.` },
  openCalendar: { en: 'Choose from a calendar', de: 'Im Kalender wählen' },
  monthBefore: { en: 'Previous month', de: 'Voriger Monat' },
  monthAfter: { en: 'Next month', de: 'Nächster Monat' },
  clearDate: { en: 'Clear', de: 'Leeren' },
  done: { en: 'Done', de: 'Fertig' },
  add: { en: 'Type to search', de: 'Zum Suchen tippen' },
  chooseText: { en: (text: string) => `Use “${text}”`, de: (text: string) => `„${text}“ verwenden` },
  noValue: { en: 'no value', de: 'kein Wert' },
  noColor: { en: 'No colour', de: 'Keine Farbe' },
  otherColor: { en: 'Another colour', de: 'Andere Farbe' },
  color: { en: (value: string) => `Colour ${value}`, de: (value: string) => `Farbe ${value}` },
  otherConversation: { en: 'Choose another', de: 'Andere wählen' },
  searchConversations: {
    en: 'Search, or choose one of the latest',
    de: 'Suchen oder eine der neuesten wählen',
  },
})
