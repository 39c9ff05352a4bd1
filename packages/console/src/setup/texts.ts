import { common } from '../texts/common.ts'
import { defineNames } from '../texts/define.ts'

export const texts = defineNames({
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
  notFound: common.notFound,
})
