import { defineTexts } from '../../texts/define.ts'
import { channelTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  channels: { en: 'Channel', de: 'Kanal' },
  ...channelTexts,
  newConversation: { en: 'New conversation', de: 'Neue Konversation' },
  noName: { en: 'No name', de: 'Ohne Namen' },
  searchPeople: { en: 'Name, e-mail address or external ID', de: 'Name, E-Mail-Adresse oder externe ID' },
  otherPerson: { en: 'Choose somebody else', de: 'Andere Person wählen' },
  newPersonNamed: {
    en: (typed: string) => (typed === '' ? 'New person…' : `New person “${typed}”…`),
    de: (typed: string) => (typed === '' ? 'Neue Person …' : `Neue Person „${typed}“ …`),
  },
  to: { en: 'With', de: 'Mit' },
  newPerson: { en: 'New person', de: 'Neue Person' },
  findPerson: { en: 'Search instead', de: 'Stattdessen suchen' },
  personHint: {
    en: 'At least one of the three.',
    de: 'Mindestens eines der drei.',
  },
  personMissing: { en: 'Choose to whom you write', de: 'Wähle, an wen du schreibst' },
  nothingKnown: {
    en: 'Enter a name, an e-mail address or an external ID',
    de: 'Gib einen Namen, eine E-Mail-Adresse oder eine externe ID ein',
  },
  taken: {
    en: 'Another person has this already. Search for it instead.',
    de: 'Das hat schon eine andere Person. Suche stattdessen danach.',
  },
  byMail: {
    en: (mailbox: string) => `E-mail from ${mailbox}`,
    de: (mailbox: string) => `E-Mail von ${mailbox}`,
  },
  mailTo: { en: (address: string) => `Goes to ${address}`, de: (address: string) => `Geht an ${address}` },
  noAddress: {
    en: 'This person has no e-mail address. Choose another channel.',
    de: 'Diese Person hat keine E-Mail-Adresse. Wähle einen anderen Kanal.',
  },
  suppressed: {
    en: (address: string) => `${address} is suppressed: the mail will not be sent.`,
    de: (address: string) => `${address} ist gesperrt: Die Mail wird nicht gesendet.`,
  },
  message: { en: 'Message', de: 'Nachricht' },
  messageMissing: { en: 'Write the first message', de: 'Schreib die erste Nachricht' },
  assignToMe: { en: 'Assign it to me', de: 'Mir zuweisen' },
  valueRequired: { en: 'This field needs a value', de: 'Dieses Feld braucht einen Wert' },
  begin: { en: 'Send', de: 'Senden' },
  notBegun: { en: 'The conversation was not begun', de: 'Die Konversation wurde nicht begonnen' },
  discardTitle: { en: 'Discard this message?', de: 'Diese Nachricht verwerfen?' },
  discardHint: { en: 'It has not been sent.', de: 'Sie wurde nicht gesendet.' },
  keepEditing: { en: 'Keep editing', de: 'Weiter bearbeiten' },
})
