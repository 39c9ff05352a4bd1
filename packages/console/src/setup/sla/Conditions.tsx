import type { SlaConditions } from '@backline/sdk'
import {
  optionsOf,
  pathsOf,
  useCategories,
  useCompanies,
  useDepartments,
  useTags,
} from '../../data/configuration.ts'
import { useTexts } from '../../texts/language.tsx'
import { Pair } from '../inputs/Form.tsx'
import { Many } from '../inputs/Many.tsx'
import type { Faults } from '../resource/faults.ts'
import { channels, priorities } from './draft.ts'
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
    company_ids: (companies.data ?? []).map(({ id, name }) => ({ value: id, label: name ?? id })),
    priorities: priorities.map((value) => ({ value, label: text[value] })),
    channels: channels.map((value) => ({ value, label: text[value] })),
    tags_any: (tags.data ?? []).map(({ name }) => ({ value: name, label: name })),
  }
  const names = Object.keys(options) as (keyof SlaConditions)[]
  return (
    <Pair>
      {names.map((name) => (
        <Many
          key={name}
          label={text[name]}
          error={faults.under(`/${name}`)}
          options={options[name]}
          chosen={conditions[name]}
          onChange={(chosen) => onChange({ ...conditions, [name]: chosen })}
          placeholder={text.always}
          isOpen={name === 'tags_any'}
        />
      ))}
    </Pair>
  )
}
