import type { SlaConditions } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { useTexts } from '../../texts/language.tsx'
import { Pair } from '../inputs/Form.tsx'
import { Many } from '../inputs/Many.tsx'
import { optionsOf, pathsOf, useCategories, useDepartments, useTags } from '../lists.ts'
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
  const { backline } = useEnvironment()
  const departments = useDepartments()
  const categories = useCategories()
  const tags = useTags()
  const companies = useAll(['companies', 'names'], () => backline.companies.list({ limit: 100 }))
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
