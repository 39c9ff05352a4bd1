import { defineTexts } from '../../../texts/define.ts'

export const texts = defineTexts({
  noOther: {
    en: 'No other conversations of this end user.',
    de: 'Keine anderen Konversationen mit diesem Endkunden.',
  },
  noHolds: { en: 'Never put on hold.', de: 'Nie zurückgestellt.' },
  noEnd: { en: 'without end', de: 'ohne Ende' },
  endedBy: { en: 'Ended', de: 'Beendet' },
  action: { en: 'by an operator', de: 'durch das Team' },
  reply: { en: 'by an answer', de: 'durch eine Antwort' },
  macro: { en: 'by a macro', de: 'durch ein Makro' },
  expiry: { en: 'as planned', de: 'wie geplant' },
  showAll: { en: (count: number) => `Show all ${count}`, de: (count: number) => `Alle ${count} zeigen` },
  raw: { en: 'Open raw event', de: 'Ereignis als JSON' },
  copyId: { en: 'Copy ID', de: 'ID kopieren' },
})
