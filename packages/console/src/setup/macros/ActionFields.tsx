import type { MacroAction } from '@backline/sdk'
import {
  optionsOf,
  pathsOf,
  useCategories,
  useDepartments,
  useOperators,
  useTags,
} from '../../data/configuration.ts'
import type { Faults } from '../../data/faults.ts'
import { Select, TextArea } from '../../design/Field.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { useTexts } from '../../texts/language.tsx'
import { priorities } from '../../texts/values.ts'
import type { ActionOf } from './actions.ts'
import { CustomFieldAction } from './CustomFieldAction.tsx'
import { HoldAction } from './HoldAction.tsx'
import { ReplyAction } from './ReplyAction.tsx'
import { texts } from './texts.ts'

type FieldsProps = { action: MacroAction; onChange(action: MacroAction): void; faults: Faults }

/** The fields of an action, by its type. Actions without fields show none. */
export function ActionFields({ action, onChange, faults }: FieldsProps) {
  const text = useTexts(texts)
  switch (action.type) {
    case 'set_priority':
      return (
        <Select
          label={text.set_priority}
          hideLabel
          error={faults.at('/priority')}
          options={priorities.map((value) => ({ value, label: text[value] }))}
          value={action.priority}
          onChange={(event) =>
            onChange({ ...action, priority: event.target.value as (typeof priorities)[number] })
          }
        />
      )
    case 'set_category':
    case 'set_department':
    case 'assign':
      return <Reference action={action} onChange={onChange} faults={faults} />
    case 'add_tags':
    case 'remove_tags':
      return <TagsAction action={action} onChange={onChange} faults={faults} />
    case 'set_custom_field':
      return <CustomFieldAction action={action} onChange={onChange} faults={faults} />
    case 'reply':
      return <ReplyAction action={action} onChange={onChange} faults={faults} />
    case 'note':
      return (
        <TextArea
          label={text.text}
          hideLabel
          required
          rows={3}
          error={faults.at('/body')}
          value={action.body}
          onChange={(event) => onChange({ ...action, body: event.target.value })}
        />
      )
    case 'hold':
      return <HoldAction action={action} onChange={onChange} faults={faults} />
    default:
      return null
  }
}

type ReferenceProps = {
  action: ActionOf<'set_category'> | ActionOf<'set_department'> | ActionOf<'assign'>
  onChange(action: MacroAction): void
  faults: Faults
}

function Reference({ action, onChange, faults }: ReferenceProps) {
  const text = useTexts(texts)
  const categories = useCategories()
  const departments = useDepartments()
  const operators = useOperators()
  if (action.type === 'set_category')
    return (
      <Select
        label={text.set_category}
        hideLabel
        error={faults.at('/category_id')}
        empty={text.noCategory}
        options={pathsOf(categories.data)}
        value={action.category_id ?? ''}
        onChange={(event) => onChange({ ...action, category_id: event.target.value || null })}
      />
    )
  if (action.type === 'set_department')
    return (
      <Select
        label={text.set_department}
        hideLabel
        error={faults.at('/department_id')}
        empty={text.noDepartment}
        options={optionsOf(departments.data)}
        value={action.department_id ?? ''}
        onChange={(event) => onChange({ ...action, department_id: event.target.value || null })}
      />
    )
  return (
    <Select
      label={text.assign}
      hideLabel
      error={faults.at('/operator_id')}
      options={[
        { value: 'me', label: text.me },
        { value: '', label: text.nobody },
        ...optionsOf(operators.data),
      ]}
      value={action.operator_id ?? ''}
      onChange={(event) => onChange({ ...action, operator_id: event.target.value || null })}
    />
  )
}

type TagsProps = {
  action: ActionOf<'add_tags'> | ActionOf<'remove_tags'>
  onChange(action: MacroAction): void
  faults: Faults
}

function TagsAction({ action, onChange, faults }: TagsProps) {
  const text = useTexts(texts)
  const tags = useTags()
  return (
    <MultiSelect
      label={text.tags}
      hideLabel
      isOpen
      error={faults.under('/tags')}
      options={(tags.data ?? []).map(({ name }) => ({ value: name, label: name }))}
      value={action.tags}
      onChange={(chosen) => onChange({ ...action, tags: chosen })}
    />
  )
}
