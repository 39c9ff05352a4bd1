import { common } from './common.ts'
import { defineNames } from './define.ts'

/** The names of areas and pages. */
export const pageTexts = defineNames({
  inbox: { en: 'Inbox', de: 'Eingang' },
  knowledge: { en: 'Knowledge', de: 'Wissen' },
  articles: common.articles,
  faqs: common.faqs,
  helpful: common.votes,
  searches: { en: 'Searches', de: 'Suchen' },
  setup: { en: 'Set-up', de: 'Einrichtung' },
  statuses: { en: 'Status board', de: 'Anwesenheit' },
  operators: common.operators,
  departments: common.departments,
  tags: common.tags,
  categories: { en: 'Categories', de: 'Kategorien' },
  hold_reasons: { en: 'Hold reasons', de: 'Gründe zum Zurückstellen' },
  sla_configs: { en: 'SLAs', de: 'SLAs' },
  macros: common.macros,
  message_templates: common.templates,
  custom_fields: { en: 'Custom fields', de: 'Eigene Felder' },
  views: common.views,
  engineering: { en: 'Engineering', de: 'Technik' },
  overview: { en: 'Overview', de: 'Überblick' },
  events: common.events,
  webhooks: { en: 'Webhooks', de: 'Webhooks' },
  keys: { en: 'Keys and sessions', de: 'Schlüssel und Sitzungen' },
  audit: { en: 'Audit log', de: 'Prüfprotokoll' },
  clock: common.testClock,
  design: { en: 'Design system', de: 'Designsystem' },
})
