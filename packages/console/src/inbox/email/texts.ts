import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  toPart: { en: (to: string) => `to ${to}`, de: (to: string) => `an ${to}` },
  ccPart: { en: (cc: string) => `cc ${cc}`, de: (cc: string) => `cc ${cc}` },
  bccPart: { en: (bcc: string) => `bcc ${bcc}`, de: (bcc: string) => `bcc ${bcc}` },
  nobody: { en: 'nobody', de: 'niemanden' },
  quoted: { en: 'Quoted text', de: 'Zitierter Text' },
  original: { en: 'Show the original', de: 'Original zeigen' },
  originalTitle: { en: 'The original mail', de: 'Die E-Mail im Original' },
  asHtml: { en: 'As it looks', de: 'Darstellung' },
  headers: { en: 'Headers', de: 'Kopfzeilen' },
  imagesLeftOut: {
    en: 'Images and other content from the Internet are left out, so that the sender learns nothing.',
    de: 'Bilder und anderes aus dem Internet fehlen, damit der Absender nichts erfährt.',
  },
  recorded: { en: 'Recorded, not sent by mail', de: 'Nur vermerkt, nicht als E-Mail gesendet' },
  sendAgain: { en: 'Send again', de: 'Erneut senden' },
  notSentAgain: { en: 'The mail was not sent again', de: 'Die E-Mail wurde nicht erneut gesendet' },
  nextAttempt: {
    en: (time: string) => `next attempt ${time}`,
    de: (time: string) => `nächster Versuch ${time}`,
  },
  noRecipient: { en: 'There is nobody to send it to', de: 'Es gibt niemanden, an den sie gehen kann' },
  delivery: { en: 'Delivery', de: 'Zustellung' },

  // Writing.
  changeMail: { en: 'Recipients and subject', de: 'Empfänger und Betreff' },
  noAddress: {
    en: 'Nobody here has an address. Choose one, or the answer is not sent by mail.',
    de: 'Hier hat niemand eine Adresse. Wähle eine, sonst geht die Antwort nicht als E-Mail hinaus.',
  },
  notAddress: {
    en: (text: string) => `${text} is not an address.`,
    de: (text: string) => `${text} ist keine Adresse.`,
  },
  tooMany: { en: 'At most 50 recipients.', de: 'Höchstens 50 Empfänger.' },
  isSuppressed: {
    en: (address: string) => `${address} is suppressed, and gets no mail.`,
    de: (address: string) => `${address} ist gesperrt und bekommt keine E-Mail.`,
  },
  joins: {
    en: 'To and Cc take part in the conversation from then on.',
    de: 'An und Cc nehmen dann an der Konversation teil.',
  },
  asUsual: { en: 'As usual', de: 'Wie üblich' },
  usualSubject: { en: 'Subject of the conversation', de: 'Betreff der Konversation' },
})
