import type { SlaConditions } from '@backline/sdk'
import {
  optionsOf,
  pathsOf,
  useCategories,
  useCompanies,
  useDepartments,
  useTags,
} from '../../data/configuration.ts'
import type { Faults } from '../../data/faults.ts'
import { FieldRow } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { useTexts } from '../../texts/language.tsx'
import { channels, priorities } from '../../texts/values.ts'
import { texts } from './texts.ts'

type ConditionsProps = {
  conditions: SlaConditions
  onChange(conditions: SlaConditions): void
  faults: Faults
}

/** The conversations that an SLA is for. */
export function Conditions({ conditions, onChange, faults }: ConditionsProps) {
  const text = useTexts(texts)
  const departments = useDepartments()
  const categories = useCategories()
  const tags = useTags()
  const companies = useCompanies()
  const options = {
    department_ids: optionsOf(departments.data),
    category_ids: pathsOf(categories.data),
    company_ids: optionsOf(companies.data),
    priorities: priorities.map((value) => ({ value, label: text[value] })),
    channels: channels.map((value) => ({ value, label: text[value] })),
    tags_any: (tags.data ?? []).map(({ name }) => ({ value: name, label: name })),
  }
  const names = Object.keys(options) as (keyof SlaConditions)[]
  return (
    <FieldRow>
      {names.map((name) => (
        <MultiSelect
          key={name}
          label={text[name]}
          error={faults.under(`/${name}`)}
          options={options[name]}
          value={conditions[name]}
          onChange={(chosen) => onChange({ ...conditions, [name]: chosen })}
          placeholder={text.always}
          isOpen={name === 'tags_any'}
        />
      ))}
    </FieldRow>
  )
}
