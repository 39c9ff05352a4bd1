import {
  optionsOf,
  pathsOf,
  useCategories,
  useCompanies,
  useCustomFields,
  useDepartments,
  useEveryMailbox,
  useHoldReasons,
  useOperators,
  useTags,
} from '../data/configuration.ts'
import type { Option } from '../design/Field.tsx'
import { fieldTexts } from '../texts/fields.ts'
import { useTexts } from '../texts/language.tsx'
import {
  channelTexts,
  endUserStatusTexts,
  priorityTexts,
  sideTexts,
  slaStatusTexts,
  statusTexts,
  waitingOnTexts,
} from '../texts/values.ts'
import { type FilterField, fieldsOf, type Reference } from './fields.ts'
import { texts } from './texts.ts'

const valueTexts = {
  ...statusTexts,
  ...priorityTexts,
  ...waitingOnTexts,
  ...sideTexts,
  ...slaStatusTexts,
  ...channelTexts,
  ...endUserStatusTexts,
}

export type NamedField = FilterField & {
  label: string
  /** The values that can be chosen; without it, values are typed. */
  choices?: Option[]
}

/**
 * The fields of filters with their names and values in the language of the reader.
 * @param hasReader an operator reads what the filter chooses, and can be meant by `me`
 */
export function useFields(appliesTo: 'conversation' | 'end_user', hasReader: boolean): NamedField[] {
  const text = useTexts(texts)
  const names = useTexts(fieldTexts)
  const values = useTexts(valueTexts) as Record<string, string>
  const companies = useCompanies()
  const choices: Record<Reference, Option[]> = {
    operators: [...(hasReader ? [{ value: 'me', label: text.me }] : []), ...optionsOf(useOperators().data)],
    departments: optionsOf(useDepartments().data),
    categories: pathsOf(useCategories().data),
    hold_reasons: optionsOf(useHoldReasons().data),
    companies: optionsOf(companies.data),
    mailboxes: (useEveryMailbox().data ?? []).map(({ id, address }) => ({ value: id, label: address })),
    tags: (useTags().data ?? []).map(({ name }) => ({ value: name, label: name })),
  }
  return fieldsOf(appliesTo, useCustomFields().data ?? []).map((field) => {
    const offered =
      field.options ??
      field.values?.map((value) => ({ value, label: values[value] ?? value })) ??
      (field.refers && choices[field.refers])
    return {
      ...field,
      label: field.name ?? (field.text ? names[field.text] : field.field),
      ...(offered && { choices: offered }),
    }
  })
}
