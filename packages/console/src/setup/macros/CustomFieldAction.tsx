import { useCustomFields } from '../../data/configuration.ts'
import type { Faults } from '../../data/faults.ts'
import { Select } from '../../design/Field.tsx'
import { CustomFieldInput } from '../../forms/CustomFieldInput.tsx'
import { FieldRow } from '../../forms/Form.tsx'
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
    <FieldRow>
      <Select
        label={text.field}
        required
        error={faults.at('/key')}
        empty={text.chooseField}
        options={fields.map(({ key, name }) => ({ value: key, label: name }))}
        value={action.key}
        onChange={(event) => onChange({ ...action, key: event.target.value, value: null })}
      />
      {field && (
        <CustomFieldInput
          label={text.value}
          field={field}
          value={action.value}
          onChange={(value) => onChange({ ...action, value })}
          error={faults.under('/value')}
        />
      )}
    </FieldRow>
  )
}
