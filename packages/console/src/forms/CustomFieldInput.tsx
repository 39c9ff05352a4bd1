import type { CustomField } from '@backline/sdk'
import { Select, TextField } from '../design/Field.tsx'
import { useTexts } from '../texts/language.tsx'
import { textOrNull } from './changes.ts'
import { DateField } from './DateField.tsx'
import { fromLocal, toLocal } from './local-time.ts'
import { MultiSelect } from './MultiSelect.tsx'
import { NumberField } from './NumberField.tsx'
import { texts } from './texts.ts'

type CustomFieldInputProps = {
  field: CustomField
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** As the API has it; null for none. */
  value: unknown
  onChange(value: string | number | boolean | string[] | null): void
}

/** The input of a custom field, by its type. */
export function CustomFieldInput({ field, value, onChange, ...described }: CustomFieldInputProps) {
  const text = useTexts(texts)
  const options = field.options
    .filter(({ archived }) => !archived)
    .map(({ value: each, label }) => ({ value: each, label }))
  switch (field.type) {
    case 'number':
      return (
        <NumberField
          {...described}
          step="any"
          placeholder={text.noValue}
          value={typeof value === 'number' ? value : null}
          onChange={onChange}
        />
      )
    case 'multi_select':
      return (
        <MultiSelect
          {...described}
          options={options}
          value={Array.isArray(value) ? value : []}
          onChange={(chosen) => onChange(chosen.length > 0 ? chosen : null)}
          placeholder={text.noValue}
        />
      )
    case 'boolean':
    case 'select':
      return (
        <Select
          {...described}
          empty={text.noValue}
          options={
            field.type === 'select'
              ? options
              : [
                  { value: 'true', label: text.yes },
                  { value: 'false', label: text.no },
                ]
          }
          value={value === null ? '' : String(value)}
          onChange={({ target }) => {
            const chosen = textOrNull(target.value)
            onChange(field.type === 'boolean' && chosen !== null ? chosen === 'true' : chosen)
          }}
        />
      )
    case 'datetime':
      return (
        <DateField
          {...described}
          hasTime
          value={typeof value === 'string' ? toLocal(Date.parse(value), 'second') : ''}
          onChange={(event) => onChange(fromLocal(event.target.value))}
        />
      )
    case 'date':
      return (
        <DateField
          {...described}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(textOrNull(event.target.value))}
        />
      )
    default:
      return (
        <TextField
          {...described}
          type={field.type === 'url' ? 'url' : 'text'}
          placeholder={text.noValue}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => onChange(textOrNull(event.target.value))}
        />
      )
  }
}
