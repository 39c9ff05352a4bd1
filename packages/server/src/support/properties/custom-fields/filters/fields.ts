import type { Field, Fields, Kind } from '../../../../platform/filters/fields.ts'
import type { CustomField, CustomFieldType } from '../queries.ts'

/** The kinds of the values of custom fields. */
export const kindsOfCustomFields: Record<CustomFieldType, Kind> = {
  text: 'text',
  url: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
  select: 'enum',
  multi_select: 'list',
}

/** The scopes that conditions on fields of other objects require, by the part before the key. */
const scopes: Record<string, string> = {
  'end_user.custom_fields.': 'end_users:read',
  'company.custom_fields.': 'companies:read',
}

const fieldOf = ({ type, name, options }: CustomField, prefix: string): Field => ({
  kind: kindsOfCustomFields[type],
  description: name,
  ...(scopes[prefix] ? { scope: scopes[prefix] } : {}),
  ...(type === 'select' || type === 'multi_select' ? { values: options.map(({ value }) => value) } : {}),
})

/** Custom fields as fields of filters, such as `end_user.custom_fields.plan`, by the part before the key. */
export type CustomFieldsByPrefix = Readonly<Record<string, readonly CustomField[]>>

/** The custom field of a name, and the part of the name before its key; null for other names. */
export function customFieldNamed(
  name: string,
  byPrefix: CustomFieldsByPrefix,
): { field: CustomField; prefix: string } | null {
  const prefix = name.slice(0, name.lastIndexOf('.') + 1)
  const fields = Object.hasOwn(byPrefix, prefix) ? byPrefix[prefix]! : []
  const field = fields.find(({ key }) => `${prefix}${key}` === name)
  return field ? { field, prefix } : null
}

/** Fields together with custom fields. */
export const withCustomFields = (fields: Fields, byPrefix: CustomFieldsByPrefix): Fields => ({
  find(name) {
    const known = fields.find(name)
    if (known) return known
    const custom = customFieldNamed(name, byPrefix)
    return custom ? fieldOf(custom.field, custom.prefix) : undefined
  },
  names: () => [
    ...fields.names(),
    ...Object.entries(byPrefix).flatMap(([prefix, each]) => each.map(({ key }) => `${prefix}${key}`)),
  ],
})
