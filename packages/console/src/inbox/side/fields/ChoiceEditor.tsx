import type { Option } from '../../../design/Field.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { Choice } from '../Choice.tsx'
import { texts } from './texts.ts'
import type { EditorProps } from './types.ts'

/** One of several options, or yes and no. Saved when it is chosen. */
export function ChoiceEditor({ field, value, isBusy, error, onSave }: EditorProps) {
  const text = useTexts(texts)
  const options: Option[] =
    field.type === 'boolean'
      ? [
          { value: 'true', label: text.yes },
          { value: 'false', label: text.no },
        ]
      : field.options
          .filter((option) => !option.archived || option.value === value)
          .map((option) => ({
            value: option.value,
            label: option.archived ? text.archivedOption(option.label) : option.label,
          }))
  return (
    <Choice
      label={field.name}
      value={value === null ? '' : String(value)}
      options={[{ value: '', label: '–' }, ...options]}
      isDisabled={isBusy}
      error={error}
      onSelect={(chosen) =>
        void onSave(chosen === '' ? null : field.type === 'boolean' ? chosen === 'true' : chosen)
      }
    />
  )
}
