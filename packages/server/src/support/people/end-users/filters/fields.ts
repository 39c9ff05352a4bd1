import { type Fields, fieldsOf } from '../../../../platform/filters/fields.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import {
  type CustomFieldsByPrefix,
  withCustomFields,
} from '../../../properties/custom-fields/filters/fields.ts'

export const endUserStatuses = ['active', 'blocked', 'merged', 'erased'] as const

/** The fields that filters of end users can name, besides custom fields. */
export const endUserFieldTable = {
  external_id: { kind: 'text', description: "The end user's id in your system." },
  name: { kind: 'text', description: 'The name.' },
  email: { kind: 'text', folding: 'address', description: 'One of the e-mail addresses.' },
  phone: { kind: 'text', description: 'One of the phone numbers.' },
  company_id: { kind: 'id', prefix: 'co', description: 'One of the companies.' },
  status: { kind: 'enum', values: endUserStatuses, description: 'The status.' },
  verified: { kind: 'boolean', description: 'Whether the identity was proved by a JWT.' },
  language: { kind: 'text', description: 'The preferred language.' },
  created_at: { kind: 'time', description: 'The time of creation.' },
  updated_at: { kind: 'time', description: 'The time of the last change.' },
  last_seen_at: { kind: 'time', description: 'The time at which a session was last used.' },
} as const

export type EndUserField = keyof typeof endUserFieldTable

/** The custom fields of end users and of their companies. */
export const endUserCustomFields = ({ end_user, company }: Definitions): CustomFieldsByPrefix => ({
  'custom_fields.': end_user,
  'company.custom_fields.': company,
})

export const endUserFields = (definitions: Definitions): Fields =>
  withCustomFields(fieldsOf(endUserFieldTable), endUserCustomFields(definitions))
