import type { Operator } from '@backline/sdk'
import { optionsOf, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Fieldset, RadioCard, TextField } from '../../design/Field.tsx'
import { Pair } from '../../forms/Form.tsx'
import { Many } from '../../forms/Many.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { TimeZoneField } from '../../forms/TimeZoneField.tsx'
import { useTexts } from '../../texts/language.tsx'
import { roles } from '../../texts/values.ts'
import type { FormProps } from '../resource/kind.ts'
import type { OperatorDraft } from './api.ts'
import { texts } from './texts.ts'

export function OperatorForm({ draft, set, faults }: FormProps<Operator, OperatorDraft>) {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const departments = useDepartments()
  const may = { agent: text.agentMay, lead: text.leadMay, admin: text.adminMay }
  return (
    <>
      <Pair>
        <TextField
          label={text.name}
          hint={text.nameHint}
          error={faults.at('/name')}
          required
          maxLength={200}
          value={draft.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label={text.emailAddress}
          error={faults.at('/email')}
          type="email"
          required
          value={draft.email}
          onChange={(event) => set({ email: event.target.value })}
        />
      </Pair>
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
        <Many
          label={text.departments}
          hint={text.departmentsHint}
          options={optionsOf(departments.data)}
          chosen={draft.department_ids}
          onChange={(department_ids) => set({ department_ids })}
        />
      )}
      <Pair>
        <NumberField
          label={text.capacity}
          hint={text.capacityHint}
          error={faults.at('/capacity')}
          min={0}
          value={draft.capacity}
          onChange={(capacity) => set({ capacity })}
          placeholder={text.noLimit}
        />
        <TimeZoneField
          label={text.timezone}
          error={faults.at('/timezone')}
          value={draft.timezone}
          onChange={(timezone) => set({ timezone })}
        />
      </Pair>
    </>
  )
}
