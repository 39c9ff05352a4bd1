import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { plural } from '../../texts/plural.ts'

export const texts = defineTexts({
  title: { en: 'Audit log', de: 'Prüfprotokoll' },
  entry: { en: 'Audit entry', de: 'Protokolleintrag' },
  actor: { en: 'Actor', de: 'Auslöser' },
  actorId: { en: 'Id of the actor', de: 'ID des Auslösers' },
  noActorId: {
    en: 'An id of an API key, operator or end user',
    de: 'Eine ID eines Schlüssels, Teammitglieds oder Endkunden',
  },
  action: { en: 'Action', de: 'Aktion' },
  resource: { en: 'Resource id', de: 'ID der Ressource' },
  noId: { en: 'This is not an id', de: 'Das ist keine ID' },
  empty: { en: 'No entries', de: 'Keine Einträge' },
  noMatch: { en: 'No entry matches', de: 'Kein Eintrag passt' },
  noMatchHint: { en: 'Change or remove a filter.', de: 'Ändere oder entferne einen Filter.' },
  verify: { en: 'Verify', de: 'Prüfen' },
  verifyTitle: { en: 'Verify the audit log', de: 'Prüfprotokoll prüfen' },
  verifyText: {
    en: 'The server computes the hash chain again over all entries, from the first one on. That shows whether an entry was altered, removed or inserted in the database.',
    de: 'Der Server berechnet die Hash-Kette über alle Einträge neu, vom ersten an. Das zeigt, ob in der Datenbank ein Eintrag geändert, entfernt oder eingefügt wurde.',
  },
  head: { en: 'Head of the chain', de: 'Kopf der Kette' },
  headNote: {
    en: 'Store it outside of the database. With it, a later verification also finds a chain that was written anew.',
    de: 'Bewahre ihn außerhalb der Datenbank auf. Damit erkennt eine spätere Prüfung auch eine neu geschriebene Kette.',
  },
  noHead: {
    en: 'Nothing is sealed yet. Entries are sealed a moment after they are made.',
    de: 'Noch ist nichts versiegelt. Das geschieht kurz nach der Entstehung.',
  },
  sealedAt: { en: 'Sealed', de: 'Versiegelt' },
  stored: { en: 'A stored head', de: 'Ein aufbewahrter Kopf' },
  storedHint: { en: 'Optional: 64 hexadecimal digits', de: 'Freiwillig: 64 hexadezimale Ziffern' },
  start: { en: 'Start', de: 'Starten' },
  stop: { en: 'Stop', de: 'Anhalten' },
  checking: {
    en: (count: string) => `Verifying… ${count} entries match so far`,
    de: (count: string) => `Prüfung läuft … ${count} Einträge stimmen bisher`,
  },
  valid: { en: 'The log is unchanged', de: 'Das Protokoll ist unverändert' },
  validText: {
    en: (count: string, unsealed: string) =>
      `${count} entries match their seals; ${unsealed} are not sealed yet.`,
    de: (count: string, unsealed: string) =>
      `${count} Einträge stimmen mit ihren Siegeln überein; ${unsealed} sind noch nicht versiegelt.`,
  },
  invalid: { en: 'The log was changed', de: 'Das Protokoll wurde verändert' },
  altered: {
    en: 'An entry differs from its seal. Entries before it match.',
    de: 'Ein Eintrag weicht von seinem Siegel ab. Die Einträge davor stimmen.',
  },
  removed: {
    en: 'An entry is missing. Entries before it match.',
    de: 'Ein Eintrag fehlt. Die Einträge davor stimmen.',
  },
  inserted: {
    en: 'An entry was inserted afterwards. Entries before it match.',
    de: 'Ein Eintrag wurde nachträglich eingefügt. Die Einträge davor stimmen.',
  },
  noSuchHead: {
    en: 'The chain does not contain the stored head: it was written anew, or the head is of another environment.',
    de: 'Die Kette enthält den aufbewahrten Kopf nicht: Sie wurde neu geschrieben, oder der Kopf ist aus einer anderen Umgebung.',
  },
  openFault: { en: 'Open the entry', de: 'Eintrag öffnen' },
  verifyFailed: { en: 'The log could not be verified', de: 'Das Protokoll konnte nicht geprüft werden' },
  export: { en: 'Export', de: 'Exportieren' },
  exporting: {
    en: (count: string) => `Cancel the export (${count})`,
    de: (count: string) => `Export abbrechen (${count})`,
  },
  exported: {
    en: (count: number) =>
      plural('en', count, { one: '# entry was exported', other: '# entries were exported' }),
    de: (count: number) =>
      plural('de', count, { one: '# Eintrag wurde exportiert', other: '# Einträge wurden exportiert' }),
  },
  exportFailed: { en: 'The log was not exported', de: 'Das Protokoll wurde nicht exportiert' },
  id: { en: 'Entry id', de: 'ID des Eintrags' },
  target: common.resource,
  request: { en: 'Request id', de: 'ID der Anfrage' },
  agent: { en: 'User agent', de: 'User-Agent' },
  noChanges: {
    en: 'The resource was created or deleted, so no fields are listed.',
    de: 'Die Ressource wurde angelegt oder gelöscht, daher stehen hier keine Felder.',
  },
  event: { en: 'Its event', de: 'Zugehöriges Ereignis' },
  itsRequest: { en: 'Its request', de: 'Zugehörige Anfrage' },
  history: { en: 'All entries about this resource', de: 'Alle Einträge zu dieser Ressource' },
  byActor: { en: 'All entries of this actor', de: 'Alle Einträge dieses Auslösers' },
  whole: { en: 'Whole entry', de: 'Ganzer Eintrag' },
  closeEntry: { en: 'Close the entry', de: 'Eintrag schließen' },
  next: { en: 'Next older entry', de: 'Nächstälterer Eintrag' },
  previous: { en: 'Next newer entry', de: 'Nächstneuerer Eintrag' },
  fresh: {
    en: (count: number) => plural('en', count, { one: 'Show # new entry', other: 'Show # new entries' }),
    de: (count: number) =>
      plural('de', count, { one: '# neuen Eintrag zeigen', other: '# neue Einträge zeigen' }),
  },
})
