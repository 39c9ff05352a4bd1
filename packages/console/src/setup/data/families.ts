import { common } from '../../texts/common.ts'
import { defineNames } from '../../texts/define.ts'
import { pageTexts } from '../../texts/pages.ts'

export const familyNames = [
  'custom_fields',
  'operators',
  'departments',
  'categories',
  'tags',
  'hold_reasons',
  'sla_configs',
  'message_templates',
  'macros',
  'views',
  'companies',
  'end_users',
  'conversations',
  'messages',
  'files',
  'kb_collections',
  'kb_articles',
  'faqs',
] as const
export type FamilyName = (typeof familyNames)[number]

/** The families of objects that can be exported. */
export const familyTexts = defineNames({
  custom_fields: pageTexts.custom_fields,
  operators: common.operators,
  departments: common.departments,
  categories: pageTexts.categories,
  tags: common.tags,
  hold_reasons: pageTexts.hold_reasons,
  sla_configs: pageTexts.sla_configs,
  message_templates: common.templates,
  macros: common.macros,
  views: common.views,
  companies: { en: 'Companies', de: 'Firmen' },
  end_users: common.endUsers,
  conversations: common.conversations,
  messages: { en: 'Messages', de: 'Nachrichten' },
  files: { en: 'Files', de: 'Dateien' },
  kb_collections: { en: 'Collections', de: 'Sammlungen' },
  kb_articles: common.articles,
  faqs: common.faqs,
})
