import { parseInstant } from '../../../../platform/kernel/clock.ts'
import type { FieldErrorCode } from '../../../../platform/kernel/errors.ts'
import { nearest } from '../../../../platform/kernel/spelling.ts'
import type { CustomField } from '../queries.ts'
import type { CustomValue, Value } from './queries.ts'

type ValueFault = { code: FieldErrorCode; detail: string }
type Checked = { value: Value | null } | ValueFault

const maxTextLength = 1_000

/** The value as it is stored; null for none. @param kept the present value, which may be an archived option */
export function checkValue(field: CustomField, given: unknown, kept: Value | null): Checked {
  if (given === null) return { value: null }
  const wrong = (detail: string): ValueFault => ({ code: 'wrong_type', detail })
  switch (field.type) {
    case 'number':
      return Number.isFinite(given)
        ? { value: given === 0 ? 0 : (given as number) }
        : wrong('must be a number')
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : wrong('must be true or false')
    case 'multi_select': {
      if (!Array.isArray(given) || given.some((each) => typeof each !== 'string'))
        return wrong('must be a list of options')
      if (given.length === 0) return { value: null }
      const had = Array.isArray(kept) ? kept : []
      const fault = given.map((each) => faultOfOption(field, each, had.includes(each))).find((found) => found)
      return fault ?? { value: [...new Set(given as string[])] }
    }
    default:
      return typeof given === 'string' ? checkText(field, given, kept) : wrong('must be a text')
  }
}

function checkText(field: CustomField, given: string, kept: Value | null): Checked {
  switch (field.type) {
    case 'select':
      return faultOfOption(field, given, kept === given) ?? { value: given }
    case 'date': {
      const isDate = /^\d{4}-\d\d-\d\d$/.test(given) && parseInstant(`${given}T00:00:00Z`) !== null
      return isDate ? { value: given } : { code: 'bad_format', detail: 'must be a date, such as 2026-11-20' }
    }
    case 'datetime': {
      const instant = parseInstant(given)
      return instant ? { value: instant } : { code: 'bad_format', detail: 'must be an RFC 3339 date-time' }
    }
    case 'url':
      return isWebUrl(given)
        ? { value: given }
        : { code: 'bad_format', detail: 'must be an http or https URL' }
    default:
      if (given === '') return { code: 'too_short', detail: 'must not be empty; null removes the value' }
      return [...given].length > maxTextLength
        ? { code: 'too_long', detail: `must have at most ${maxTextLength} characters` }
        : { value: given }
  }
}

const isWebUrl = (text: string): boolean =>
  text.length <= 2048 && /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)

function faultOfOption({ options }: CustomField, given: string, isKept: boolean): ValueFault | null {
  const option = options.find(({ value }) => value === given)
  if (isKept || (option && !option.archived)) return null
  const detail = option
    ? `must not be the archived option ${given}`
    : 'must be one of the options of the field'
  return { code: 'not_allowed', detail }
}

type PointedFault = ValueFault & { pointer: string }

/**
 * Merges given values into those of an object.
 * @param fields the fields that whoever gives them may know
 * @param faults receives the faults, at `/custom_fields/<key>`
 */
export function mergeValues(
  fields: readonly CustomField[],
  present: CustomValue[],
  given: Record<string, unknown> | null | undefined,
  faults: (fault: PointedFault) => void,
): CustomValue[] {
  if (given === undefined) return present
  if (given === null) return present.filter(({ key }) => !fields.some((field) => field.key === key))
  const merged = new Map(present.map((each) => [each.key, each]))
  for (const [key, value] of Object.entries(given)) {
    const pointer = `/custom_fields/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const field = fields.find((each) => each.key === key)
    if (!field) {
      faults({ pointer, code: 'unknown_field', detail: unknown(key, fields) })
      continue
    }
    const kept = merged.get(key)?.value ?? null
    const checked = checkValue(field, value, kept)
    if ('code' in checked) faults({ pointer, ...checked })
    else if (checked.value === null) merged.delete(key)
    else if (field.archived && !isSameValue(checked.value, kept))
      faults({ pointer, code: 'not_allowed', detail: 'must not be set: the field is archived' })
    else merged.set(key, { field_id: field.id, key, access: field.end_user_access, value: checked.value })
  }
  return inOrder([...merged.values()])
}

/** Values in the order in which objects show them. */
export const inOrder = (values: CustomValue[]): CustomValue[] =>
  values.toSorted((one, other) => (one.key < other.key ? -1 : 1))

function unknown(key: string, fields: readonly CustomField[]): string {
  const similar = nearest(
    key,
    fields.map((field) => field.key),
  )
  return similar === null ? 'is not a custom field' : `is not a custom field; did you mean ${similar}?`
}

export const isSameValue = (one: Value | null, other: Value | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The required fields without a value. */
export const missingOf = (
  fields: readonly CustomField[],
  on: 'create' | 'resolve',
  values: CustomValue[],
): CustomField[] =>
  fields.filter(
    ({ id, archived, required_on }) =>
      required_on === on && !archived && !values.some(({ field_id }) => field_id === id),
  )
