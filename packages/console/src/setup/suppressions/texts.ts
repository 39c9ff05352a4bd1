import { defineTexts } from '../../texts/define.ts'

export const texts = defineTexts({
  title: { en: 'Suppressed addresses', de: 'Gesperrte Adressen' },
  intro: {
    en: 'Addresses that get no mail from any mailbox: mail to them came back, or the recipient reported it as abuse.',
    de: 'Adressen, die von keinem Postfach E-Mails bekommen: E-Mails dorthin kamen zurück, oder der Empfänger hat sie als Missbrauch gemeldet.',
  },
  create: { en: 'Suppress an address', de: 'Adresse sperren' },
  search: { en: 'Find a whole address', de: 'Ganze Adresse suchen' },
  none: { en: 'No address is suppressed', de: 'Keine Adresse ist gesperrt' },
  notSuppressed: { en: 'This address is not suppressed', de: 'Diese Adresse ist nicht gesperrt' },
  bounce: { en: 'Mail came back', de: 'E-Mail kam zurück' },
  complaint: { en: 'Reported as abuse', de: 'Als Missbrauch gemeldet' },
  manual: { en: 'By hand', de: 'Von Hand' },
  until: { en: 'Until', de: 'Bis' },
  forever: { en: 'No end', de: 'Ohne Ende' },
  remove: { en: 'Allow again', de: 'Wieder zulassen' },
  removeNamed: {
    en: (address: string) => `Allow again: ${address}`,
    de: (address: string) => `Wieder zulassen: ${address}`,
  },
  removeTitle: {
    en: (address: string) => `Send mail to ${address} again?`,
    de: (address: string) => `Wieder E-Mails an ${address} senden?`,
  },
  removeHint: {
    en: 'Mail that was not sent meanwhile is not sent by this. If mail comes back again, the address is suppressed again.',
    de: 'Was inzwischen nicht gesendet wurde, wird dadurch nicht gesendet. Kommt wieder eine E-Mail zurück, wird die Adresse erneut gesperrt.',
  },
  removed: {
    en: (address: string) => `${address} gets mail again`,
    de: (address: string) => `${address} bekommt wieder E-Mails`,
  },
  notRemoved: { en: 'The address is still suppressed', de: 'Die Adresse ist noch gesperrt' },
  added: {
    en: (address: string) => `${address} is suppressed`,
    de: (address: string) => `${address} ist gesperrt`,
  },
  notAdded: { en: 'The address was not suppressed', de: 'Die Adresse wurde nicht gesperrt' },
  taken: { en: 'It is suppressed already', de: 'Sie ist schon gesperrt' },
})
