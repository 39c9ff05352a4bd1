import type { RowWire } from '../../../platform/resource/wire.ts'
import type { Table, VersionedRow } from '../../../platform/tables/table.ts'
import { macroTable } from '../../automation/macros/queries.ts'
import { macroWire } from '../../automation/macros/schema.ts'
import { categoryTable } from '../../catalogue/categories/queries.ts'
import { categoryWire } from '../../catalogue/categories/schema.ts'
import { holdReasonTable } from '../../catalogue/hold-reasons/queries.ts'
import { holdReasonWire } from '../../catalogue/hold-reasons/schema.ts'
import { messageTemplateTable } from '../../catalogue/message-templates/queries.ts'
import { messageTemplateWire } from '../../catalogue/message-templates/schema.ts'
import { tagTable } from '../../catalogue/tags/queries.ts'
import { tagWire } from '../../catalogue/tags/schema.ts'
import { conversationTable } from '../../desk/conversations/queries.ts'
import { conversationWire } from '../../desk/conversations/schema.ts'
import { messageTable } from '../../desk/messages/queries.ts'
import { messageWire } from '../../desk/messages/schema.ts'
import { viewTable } from '../../desk/views/queries.ts'
import { viewWire } from '../../desk/views/schema.ts'
import { fileTable } from '../../files/queries.ts'
import { fileWire } from '../../files/schema.ts'
import { faqTable } from '../../knowledge/faqs/queries.ts'
import { faqWire } from '../../knowledge/faqs/schema.ts'
import { articleTable } from '../../knowledge/kb/articles/queries.ts'
import { articleWire } from '../../knowledge/kb/articles/schema.ts'
import { collectionTable } from '../../knowledge/kb/collections/queries.ts'
import { collectionWire } from '../../knowledge/kb/collections/schema.ts'
import { companyTable } from '../../people/companies/queries.ts'
import { companyWire } from '../../people/companies/schema.ts'
import { endUserTable } from '../../people/end-users/queries.ts'
import { endUserWire } from '../../people/end-users/schema.ts'
import { customFieldTable } from '../../properties/custom-fields/queries.ts'
import { customFieldWire } from '../../properties/custom-fields/schema.ts'
import { slaConfigTable } from '../../sla/sla-configs/queries.ts'
import { slaConfigWire } from '../../sla/sla-configs/schema.ts'
import { departmentTable } from '../../team/departments/queries.ts'
import { departmentWire } from '../../team/departments/schema.ts'
import { operatorTable } from '../../team/operators/queries.ts'
import { operatorWire } from '../../team/operators/schema.ts'

/** A family of objects that can be exported, as the API shows them. */
export type Family = {
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind are exported alike
  table: Table<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  wire: RowWire<any>
  /** The scope that shows them. */
  scope: string
}

const family = <Row extends VersionedRow>(table: Table<Row>, wire: RowWire<Row>, scopes: string): Family => ({
  table,
  wire,
  scope: `${scopes}:read`,
})

/** All families, in an order in which most objects come after those that they refer to. */
export const families = {
  custom_fields: family(customFieldTable, customFieldWire, 'custom_fields'),
  operators: family(operatorTable, operatorWire, 'operators'),
  departments: family(departmentTable, departmentWire, 'departments'),
  categories: family(categoryTable, categoryWire, 'categories'),
  tags: family(tagTable, tagWire, 'tags'),
  hold_reasons: family(holdReasonTable, holdReasonWire, 'hold_reasons'),
  sla_configs: family(slaConfigTable, slaConfigWire, 'sla_configs'),
  message_templates: family(messageTemplateTable, messageTemplateWire, 'message_templates'),
  macros: family(macroTable, macroWire, 'macros'),
  views: family(viewTable, viewWire, 'views'),
  companies: family(companyTable, companyWire, 'companies'),
  end_users: family(endUserTable, endUserWire, 'end_users'),
  conversations: family(conversationTable, conversationWire, 'conversations'),
  messages: family(messageTable, messageWire, 'messages'),
  files: family(fileTable, fileWire, 'files'),
  kb_collections: family(collectionTable, collectionWire, 'kb'),
  kb_articles: family(articleTable, articleWire, 'kb'),
  faqs: family(faqTable, faqWire, 'faqs'),
} as const satisfies Record<string, Family>

export type FamilyName = keyof typeof families
export const familyNames = Object.keys(families) as [FamilyName, ...FamilyName[]]
