import {
  optionsOf,
  pathsOf,
  useCategories,
  useCompanies,
  useCustomFields,
  useDepartments,
  useHoldReasons,
  useOperators,
  useTags,
} from '../../data/configuration.ts'
import type { Option } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { type FilterField, fieldsOf, type Reference } from './fields.ts'
import { filterTexts, valueTexts } from './filter-texts.ts'
import { texts } from './texts.ts'

export type NamedField = FilterField & {
  label: string
  /** The values that can be chosen; without it, values are typed. */
  choices?: Option[]
}

/** The fields of filters with their names and values in the language of the reader. */
export function useFields(appliesTo: 'conversation' | 'end_user'): NamedField[] {
  const text = useTexts(texts)
  const names = useTexts(filterTexts)
  const values = useTexts(valueTexts) as Record<string, string>
  const companies = useCompanies()
  const choices: Record<Reference, Option[]> = {
    operators: [{ value: 'me', label: text.me }, ...optionsOf(useOperators().data)],
    departments: optionsOf(useDepartments().data),
    categories: pathsOf(useCategories().data),
    hold_reasons: optionsOf(useHoldReasons().data),
    companies: (companies.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? id })),
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
