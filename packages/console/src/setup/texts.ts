import { defineTexts } from '../texts/define.ts'

export const texts = defineTexts({
  setup: { en: 'Set-up', de: 'Einrichtung' },
  statuses: { en: 'Status board', de: 'Anwesenheit' },
  operators: { en: 'Operators', de: 'Team' },
  departments: { en: 'Departments', de: 'Abteilungen' },
  tags: { en: 'Tags', de: 'Tags' },
  categories: { en: 'Categories', de: 'Kategorien' },
  hold_reasons: { en: 'Hold reasons', de: 'Zurückstellen' },
  sla_configs: { en: 'SLAs', de: 'SLAs' },
  macros: { en: 'Macros', de: 'Makros' },
  message_templates: { en: 'Message templates', de: 'Textvorlagen' },
  custom_fields: { en: 'Custom fields', de: 'Eigene Felder' },
  views: { en: 'Views', de: 'Ansichten' },
  notFound: { en: 'There is no such page', de: 'Diese Seite gibt es nicht' },
  open: { en: (name: string) => `Set-up: ${name}`, de: (name: string) => `Einrichtung: ${name}` },
})
