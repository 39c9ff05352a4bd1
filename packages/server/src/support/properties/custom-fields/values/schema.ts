import { Type } from '../../../../platform/resource/schema.ts'
import type { Value } from './queries.ts'

const storable = '^[^\\u0000\\ud800-\\udfff]*$'

const value = {
  type: ['string', 'number', 'boolean', 'array', 'null'],
  maxLength: 2048,
  pattern: storable,
  maxItems: 200,
  items: { type: 'string', maxLength: 100, pattern: storable },
}
const open = {
  maxProperties: 100,
  propertyNames: { type: 'string', minLength: 1, maxLength: 100, pattern: storable },
}
const types =
  'A text, number, boolean, date (`2026-11-20`), RFC 3339 time, option or list of options, according to the `type` of the field.'

/** A key that names a field. */
export const fieldKey = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 50,
    pattern: '^[a-z][a-z0-9_]{0,49}$',
    examples: ['plan'],
    description,
  })

/** A value of a field whose type only the field tells. */
export const CustomFieldValue = (description: string) =>
  Type.Unsafe<Value | null>({ ...value, examples: ['pro'], description })

/** The values of an object. */
export const CustomFields = () =>
  Type.Unsafe<Record<string, unknown>>({
    title: 'CustomFieldValues',
    type: 'object',
    ...open,
    additionalProperties: { description: 'A text, number, boolean or list of texts.' },
    description: `Values of custom fields by \`key\`; fields without a value are left out. ${types}`,
    examples: [{ plan: 'pro' }],
  })

/** The values in a new object. */
export const NewCustomFields = () =>
  Type.Unsafe<Record<string, unknown>>({
    title: 'CustomFieldValues',
    type: 'object',
    ...open,
    additionalProperties: value,
    description: `Values of custom fields by \`key\`. ${types} Null is no value.`,
    examples: [{ plan: 'pro' }],
  })

/** In a PATCH, values merge key by key; null removes a value. */
export const CustomFieldsPatch = () =>
  Type.Unsafe<Record<string, unknown> | null>({
    title: 'CustomFieldValues',
    type: ['object', 'null'],
    ...open,
    additionalProperties: value,
    description: `Merged key by key: a \`null\` value removes that value, \`null\` for the whole object removes all. ${types}`,
    examples: [{ plan: 'pro' }],
  })
