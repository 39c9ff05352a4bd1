import { common } from '../../texts/common.ts'
import { defineTexts } from '../../texts/define.ts'
import { operatorStatusTexts, roleTexts } from '../../texts/values.ts'

export const texts = defineTexts({
  ...operatorStatusTexts,
  ...roleTexts,
  title: common.operators,
  intro: {
    en: 'The people who answer conversations, and what each may do in this console.',
    de: 'Die Menschen, die Konversationen beantworten, und was sie in dieser Konsole dürfen.',
  },
  create: { en: 'New operator', de: 'Neues Mitglied' },
  emptyHint: {
    en: 'Add the people of your team, and invite them by a link.',
    de: 'Füge die Menschen deines Teams hinzu und lade sie mit einem Link ein.',
  },
  invite: { en: 'Invite…', de: 'Einladen …' },
  nameHint: { en: 'End users may see it.', de: 'Endkunden können ihn sehen.' },
  role: { en: 'Role', de: 'Rolle' },
  agentMay: {
    en: 'Works with conversations, end users and companies. Reads the set-up.',
    de: 'Arbeitet mit Konversationen, Endkunden und Firmen. Liest die Einrichtung.',
  },
  leadMay: {
    en: 'Also changes tags, categories, macros, message templates, hold reasons, views and articles.',
    de: 'Ändert außerdem Tags, Kategorien, Makros, Textvorlagen, Gründe zum Zurückstellen, Ansichten und Artikel.',
  },
  adminMay: {
    en: 'May do everything: operators, departments, SLAs, custom fields, keys and webhooks.',
    de: 'Darf alles: Team, Abteilungen, SLAs, eigene Felder, Schlüssel und Webhooks.',
  },
  capacity: { en: 'Capacity', de: 'Kapazität' },
  capacityHint: {
    en: 'Routing assigns no more while so many conversations are open. Empty means no limit.',
    de: 'Die Verteilung weist nichts mehr zu, solange so viele Konversationen offen sind. Leer heißt ohne Grenze.',
  },
  noLimit: { en: 'no limit', de: 'ohne Grenze' },
  departmentsHint: {
    en: 'Routing assigns conversations of these departments.',
    de: 'Die Verteilung weist Konversationen dieser Abteilungen zu.',
  },
  load: { en: 'Open', de: 'Offen' },
  self: { en: 'you', de: 'du' },

  lastAdmin: {
    en: 'This is the only administrator. Make somebody else an administrator first.',
    de: 'Das ist das einzige Mitglied mit der Rolle Administration. Gib die Rolle erst jemand anderem.',
  },
  archiveTitle: {
    en: (name: string) => `Archive “${name}”?`,
    de: (name: string) => `„${name}“ archivieren?`,
  },
  archiveHint: {
    en: 'They can no longer sign in, and nothing can be assigned to them. Their name stays on what they have done.',
    de: 'Anmelden ist dann nicht mehr möglich, und es wird nichts mehr zugewiesen. Der Name bleibt an allem, was getan wurde.',
  },
  archiveSelf: {
    en: 'This is you: you will be signed out.',
    de: 'Das bist du selbst: Du wirst abgemeldet.',
  },
  archiveFailed: { en: 'Not archived', de: 'Nicht archiviert' },
})
