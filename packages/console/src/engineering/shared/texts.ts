import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  done: { en: 'Done', de: 'Fertig' },
  secretOnce: {
    en: 'This is the only time the secret is shown. Store it in your secret manager now.',
    de: 'Das Geheimnis wird nur dieses eine Mal gezeigt. Lege es jetzt in deinem Secret-Manager ab.',
  },
  system: { en: 'The server', de: 'Der Server' },
  onBehalf: { en: (name: string) => `for ${name}`, de: (name: string) => `für ${name}` },
  allEvents: { en: 'All events', de: 'Alle Ereignisse' },
  allOf: { en: (group: string) => `All ${group} events`, de: (group: string) => `Alle Ereignisse: ${group}` },
  chosen: {
    en: (count: number, all: number) => `${count} of ${all}`,
    de: (count: number, all: number) => `${count} von ${all}`,
  },
  from: { en: 'From', de: 'Von' },
  to: { en: 'To', de: 'Bis' },
  before: { en: 'Before', de: 'Vorher' },
  after: { en: 'After', de: 'Nachher' },
  notAtAll: { en: 'Not at all: it ends at once', de: 'Gar nicht: Es endet sofort' },
})
