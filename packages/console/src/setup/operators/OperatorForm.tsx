import type { Operator } from '@backline/sdk'
import { optionsOf, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Fieldset, RadioCard, TextField } from '../../design/Field.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { TimeZoneField } from '../../forms/TimeZoneField.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { roles } from '../../texts/values.ts'
import type { OperatorDraft } from './api.ts'
import { texts } from './texts.ts'

export function OperatorForm({ draft, set, faults, field, input }: FormProps<Operator, OperatorDraft>) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const departments = useDepartments()
  const may = { agent: text.agentMay, lead: text.leadMay, admin: text.adminMay }
  return (
    <>
      <FieldRow>
        <TextField {...input('name')} hint={text.nameHint} required maxLength={200} />
        <TextField {...input('email')} type="email" required />
      </FieldRow>
      <Fieldset legend={text.role} error={faults.at('/role')}>
        {roles.map((role) => (
          <RadioCard
            key={role}
            name="role"
            label={text[role]}
            hint={may[role]}
            checked={draft.role === role}
            onChange={() => set({ role })}
          />
        ))}
      </Fieldset>
      {can('departments:write') && (
        <MultiSelect
          {...field('department_ids')}
          hint={text.departmentsHint}
          options={optionsOf(departments.data)}
        />
      )}
      <FieldRow>
        <NumberField {...field('capacity')} hint={text.capacityHint} min={0} placeholder={text.noLimit} />
        <TimeZoneField {...field('timezone')} />
      </FieldRow>
    </>
  )
}
