import { defineTexts } from '../texts/define.ts'
import { plural } from '../texts/plural.ts'
import { endUserStatusTexts } from '../texts/values.ts'

export const texts = defineTexts({
  ...endUserStatusTexts,
  people: { en: 'People', de: 'Personen' },
  peopleCount: {
    en: (count: number) => plural('en', count, { one: '# person', other: '# people' }),
    de: (count: number) => plural('de', count, { one: '# Person', other: '# Personen' }),
  },
  companies: { en: 'Companies', de: 'Firmen' },
  searchPeople: {
    en: 'Search by name, e-mail address or external ID',
    de: 'Nach Name, E-Mail-Adresse oder externer ID suchen',
  },
  searchCompanies: {
    en: 'Search by name, domain or external ID',
    de: 'Nach Name, Domain oder externer ID suchen',
  },
  sort: { en: 'Order', de: 'Reihenfolge' },
  '-created_at': { en: 'Newest', de: 'Neueste' },
  created_at: { en: 'Oldest', de: 'Älteste' },
  '-last_seen_at': { en: 'Last seen', de: 'Zuletzt da' },
  statusPresent: { en: 'Active and blocked', de: 'Aktive und gesperrte' },
  nextRow: { en: 'Next in the list', de: 'Nächste in der Liste' },
  previousRow: { en: 'Previous in the list', de: 'Vorherige in der Liste' },
  createPerson: { en: 'New person', de: 'Neue Person' },
  createCompany: { en: 'New company', de: 'Neue Firma' },
  noName: { en: 'No name', de: 'Ohne Namen' },
  noPeople: { en: 'Nobody here yet', de: 'Noch niemand da' },
  noPeopleMore: {
    en: 'People come with their first conversation, by your software, or when you create them here.',
    de: 'Personen kommen mit ihrer ersten Konversation, über deine Software, oder wenn du sie hier anlegst.',
  },
  noCompanies: { en: 'No companies yet', de: 'Noch keine Firmen' },
  noCompaniesMore: {
    en: 'A company brings together the people who write on its behalf.',
    de: 'Eine Firma fasst die Personen zusammen, die für sie schreiben.',
  },
  noPeopleOfCompany: { en: 'Nobody belongs to this company.', de: 'Zu dieser Firma gehört niemand.' },
  noConversations: { en: 'No conversations.', de: 'Keine Konversationen.' },
  lastSeen: { en: 'Last seen', de: 'Zuletzt da' },
  legalHold: { en: 'Legal hold', de: 'Aufbewahrungssperre' },
  mergedInto: {
    en: 'This person was merged with another one. Go to the one that remains.',
    de: 'Diese Person wurde mit einer anderen zusammengeführt. Zur verbliebenen Person.',
  },
  erasedHint: {
    en: 'The data of this person was erased. What your team wrote has stayed.',
    de: 'Die Daten dieser Person wurden gelöscht. Geblieben ist, was dein Team geschrieben hat.',
  },
  emails: { en: 'E-mail addresses', de: 'E-Mail-Adressen' },
  addressNumber: {
    en: (place: number) => `E-mail address ${place}`,
    de: (place: number) => `E-Mail-Adresse ${place}`,
  },
  addAddress: { en: 'Add an address', de: 'Adresse hinzufügen' },
  verifiedAddress: {
    en: 'Verified: it is certain that it belongs to this person',
    de: 'Bestätigt: Sie gehört sicher zu dieser Person',
  },
  phones: { en: 'Phone numbers', de: 'Telefonnummern' },
  phonesHint: { en: 'With the country code.', de: 'Mit Landesvorwahl.' },
  externalIdHint: {
    en: 'The ID in your own system. It cannot be changed once it is set.',
    de: 'Die ID in deinem eigenen System. Ist sie gesetzt, lässt sie sich nicht mehr ändern.',
  },
  removePersonHint: {
    en: 'This cannot be undone. A person with conversations cannot be deleted, but erased.',
    de: 'Das lässt sich nicht rückgängig machen. Wer Konversationen hat, wird nicht so, sondern über „Löschen …“ im Menü der Seite gelöscht.',
  },
  domains: { en: 'Domains', de: 'Domains' },
  domainsHint: {
    en: 'Host names of its websites and e-mail addresses. Each belongs to one company.',
    de: 'Hostnamen ihrer Websites und E-Mail-Adressen. Jeder gehört zu einer Firma.',
  },

  sessions: { en: 'Sessions', de: 'Sitzungen' },
  noSessions: {
    en: 'This person has not used your app with Backline.',
    de: 'Diese Person hat deine App noch nicht mit Backline benutzt.',
  },
  startedBy: { en: 'Started by', de: 'Begonnen durch' },
  key: { en: 'Your server', de: 'Deinen Server' },
  jwt: { en: 'Sign-in in your app', de: 'Anmeldung in deiner App' },
  anonymous: { en: 'An unknown visitor', de: 'Unbekannten Besuch' },
  begun: { en: 'Begun', de: 'Begonnen' },
  lastUsed: { en: 'Last used', de: 'Zuletzt benutzt' },
  expires: { en: 'Expires', de: 'Läuft ab' },
  expired: { en: 'Expired', de: 'Abgelaufen' },
  revoked: { en: 'Ended', de: 'Beendet' },
  endSessions: { en: 'End all sessions', de: 'Alle Sitzungen beenden' },
  endSessionsTitle: { en: 'End all sessions of this person?', de: 'Alle Sitzungen dieser Person beenden?' },
  endSessionsHint: {
    en: 'Within a second, your app can no longer read or write conversations for this person, until it begins a new session.',
    de: 'Innerhalb einer Sekunde kann deine App für diese Person keine Konversationen mehr lesen oder schreiben, bis sie eine neue Sitzung beginnt.',
  },
  sessionsEnded: { en: 'The sessions have ended', de: 'Die Sitzungen sind beendet' },
  sessionsNotEnded: { en: 'The sessions were not ended', de: 'Die Sitzungen wurden nicht beendet' },

  mergeWith: { en: 'Merge with another…', de: 'Zusammenführen …' },
  mergeTitle: {
    en: (name: string) => `Merge ${name} with another person`,
    de: (name: string) => `${name} mit einer anderen Person zusammenführen`,
  },
  mergeHint: {
    en: 'Use this if two entries are the same person. Afterwards there is one, with the conversations of both.',
    de: 'Wenn zwei Einträge dieselbe Person sind: Danach gibt es nur noch einen, mit den Konversationen beider.',
  },
  mergeOther: { en: 'The other person', de: 'Die andere Person' },
  remaining: { en: 'Who remains', de: 'Wer bleibt' },
  identityVerified: { en: 'signed in by your app', de: 'in deiner App angemeldet' },
  whatHappens: { en: 'What happens', de: 'Was geschieht' },
  moved: {
    en: (count: number, name: string) =>
      plural('en', count, {
        one: `# conversation moves to ${name}.`,
        other: `# conversations move to ${name}.`,
      }),
    de: (count: number, name: string) =>
      plural('de', count, {
        one: `# Konversation geht an ${name}.`,
        other: `# Konversationen gehen an ${name}.`,
      }),
  },
  taken: {
    en: (name: string, fields: string) => `${name} receives: ${fields}.`,
    de: (name: string, fields: string) => `${name} erhält: ${fields}.`,
  },
  alias: {
    en: (id: string, name: string) => `The external ID ${id} leads to ${name} from then on.`,
    de: (id: string, name: string) => `Die externe ID ${id} führt danach zu ${name}.`,
  },
  picture: { en: 'Picture', de: 'Bild' },
  customFields: { en: 'Custom fields', de: 'Eigene Felder' },
  dropped: { en: 'These values are dropped', de: 'Diese Werte gehen verloren' },
  stays: { en: 'Stays', de: 'Bleibt' },
  goes: { en: 'Goes', de: 'Geht verloren' },
  noUndo: { en: 'This cannot be undone.', de: 'Das lässt sich nicht rückgängig machen.' },
  mergeFailed: { en: 'The people were not merged', de: 'Die Personen wurden nicht zusammengeführt' },
  mergeDone: {
    en: (name: string) => `Merged into ${name}`,
    de: (name: string) => `In ${name} zusammengeführt`,
  },
})
