import type { CustomField } from '@backline/sdk'
import { useCustomFields } from '../../data/configuration.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { Pair } from '../../forms/Form.tsx'
import type { Faults } from '../../forms/faults.ts'
import { Many } from '../../forms/Many.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { ActionOf } from './actions.ts'
import { texts } from './texts.ts'

type FieldProps = {
  action: ActionOf<'set_custom_field'>
  onChange(action: ActionOf<'set_custom_field'>): void
  faults: Faults
}

/** Sets a custom field of the conversation, by an input of its type. */
export function CustomFieldAction({ action, onChange, faults }: FieldProps) {
  const text = useTexts(texts)
  const fields = useCustomFields().data?.filter(({ applies_to }) => applies_to === 'conversation') ?? []
  const field = fields.find(({ key }) => key === action.key)
  return (
    <Pair>
      <Select
        label={text.field}
        required
        error={faults.at('/key')}
        options={[
          { value: '', label: text.chooseField },
          ...fields.map(({ key, name }) => ({ value: key, label: name })),
        ]}
        value={action.key}
        onChange={(event) => onChange({ ...action, key: event.target.value, value: null })}
      />
      {field && (
        <Value
          field={field}
          value={action.value}
          onChange={(value) => onChange({ ...action, value })}
          error={faults.under('/value')}
        />
      )}
    </Pair>
  )
}

type ValueProps = {
  field: CustomField
  value: unknown
  onChange(value: unknown): void
  error: string | undefined
}

const inputTypes: Partial<Record<CustomField['type'], string>> = { url: 'url', date: 'date' }

function Value({ field, value, onChange, error }: ValueProps) {
  const text = useTexts(texts)
  const options = field.options
    .filter(({ archived }) => !archived)
    .map(({ value: each, label }) => ({ value: each, label }))
  if (field.type === 'number')
    return (
      <NumberField
        label={text.value}
        error={error}
        step="any"
        placeholder={text.noValue}
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
      />
    )
  if (field.type === 'multi_select')
    return (
      <Many
        label={text.value}
        error={error}
        options={options}
        chosen={Array.isArray(value) ? value : []}
        onChange={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
        placeholder={text.noValue}
      />
    )
  if (field.type === 'boolean' || field.type === 'select')
    return (
      <Select
        label={text.value}
        error={error}
        options={[
          { value: '', label: text.noValue },
          ...(field.type === 'select'
            ? options
            : [
                { value: 'true', label: text.yes },
                { value: 'false', label: text.no },
              ]),
        ]}
        value={value === null ? '' : String(value)}
        onChange={({ target }) => {
          const chosen = textOrNull(target.value)
          onChange(field.type === 'boolean' && chosen !== null ? chosen === 'true' : chosen)
        }}
      />
    )
  return (
    <TextField
      label={text.value}
      error={error}
      type={inputTypes[field.type] ?? 'text'}
      placeholder={field.type === 'datetime' ? '2026-11-30T09:00:00Z' : text.noValue}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(textOrNull(event.target.value))}
    />
  )
}
