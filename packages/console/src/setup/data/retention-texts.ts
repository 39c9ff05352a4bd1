import { defineTexts } from '../../texts/define.ts'
import { pageTexts } from '../../texts/pages.ts'
import { plural } from '../../texts/plural.ts'

export const retentionTexts = defineTexts({
  title: pageTexts.retention_policies,
  intro: {
    en: 'What becomes of conversations some time after they were closed. Policies run once a day; legal holds are left out.',
    de: 'Was mit Konversationen geschieht, einige Zeit nachdem sie geschlossen wurden. Regeln laufen einmal am Tag; Aufbewahrungssperren bleiben ausgenommen.',
  },
  create: { en: 'New policy', de: 'Neue Regel' },
  emptyHint: {
    en: 'Such as: delete the files of chats after a year.',
    de: 'Zum Beispiel: Dateien von Chats nach einem Jahr löschen.',
  },
  removeHint: {
    en: 'What it has already redacted or deleted stays so.',
    de: 'Was sie schon geschwärzt oder gelöscht hat, bleibt so.',
  },
  filter: { en: 'Conversations', de: 'Konversationen' },
  afterDays: { en: 'Days after closing', de: 'Tage nach dem Schließen' },
  days: {
    en: (count: number) => plural('en', count, { one: '# day', other: '# days' }),
    de: (count: number) => plural('de', count, { one: '# Tag', other: '# Tage' }),
  },
  after: { en: 'After', de: 'Nach' },
  action: { en: 'Action', de: 'Aktion' },
  redact: { en: 'Redact messages', de: 'Nachrichten schwärzen' },
  redactHint: {
    en: 'The texts of all messages and their files are deleted; the conversations stay.',
    de: 'Texte und Dateien aller Nachrichten werden gelöscht; die Konversationen bleiben.',
  },
  delete_files: { en: 'Delete files', de: 'Dateien löschen' },
  delete_filesHint: {
    en: 'The files of the messages are deleted; the texts stay.',
    de: 'Die Dateien der Nachrichten werden gelöscht; die Texte bleiben.',
  },
  deleteAll: { en: 'Delete conversations', de: 'Konversationen löschen' },
  deleteAllHint: {
    en: 'The conversations are deleted as a whole.',
    de: 'Die Konversationen werden ganz gelöscht.',
  },
  enabled: { en: 'Enabled', de: 'Aktiv' },
  enable: { en: 'Enable', de: 'Aktivieren' },
  enableTitle: { en: (name: string) => `Enable “${name}”?`, de: (name: string) => `„${name}“ aktivieren?` },
  enableHint: {
    en: 'It runs for the first time within a day. What it redacts or deletes cannot be restored.',
    de: 'Sie läuft innerhalb eines Tages zum ersten Mal. Was sie schwärzt oder löscht, ist nicht wiederherstellbar.',
  },
  statusFailed: { en: 'The status was not changed', de: 'Der Zustand wurde nicht geändert' },
  previewIntro: {
    en: 'What the stored policy would apply to now. Nothing is changed.',
    de: 'Worauf die gespeicherte Regel jetzt zuträfe. Nichts wird geändert.',
  },
  previewLater: { en: 'Create the policy to preview it.', de: 'Lege die Regel an, um sie zu prüfen.' },
  matched: {
    en: (count: number, shown: string) =>
      plural('en', count, { one: '1 conversation', other: `${shown} conversations` }),
    de: (count: number, shown: string) =>
      plural('de', count, { one: '1 Konversation', other: `${shown} Konversationen` }),
  },
  oldest: { en: 'the oldest closed on', de: 'die älteste geschlossen am' },
})
