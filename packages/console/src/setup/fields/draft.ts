import type { CustomField, CustomFieldOption } from '@backline/sdk'

export type FieldDraft = {
  applies_to: CustomField['applies_to']
  key: string
  type: CustomField['type']
  name: string
  description: string
  options: CustomFieldOption[]
  required_on: CustomField['required_on']
  end_user_access: CustomField['end_user_access']
  indexed: boolean
}

export const hasOptions = (type: CustomField['type']): boolean => type === 'select' || type === 'multi_select'

/** A key of a name: "Order number" becomes `order_number`. */
export const keyFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)
