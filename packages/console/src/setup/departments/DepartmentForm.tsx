import type { Department } from '@backline/sdk'
import { optionsOf, useDepartments, useSlaConfigs } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Check, Group, Pair } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps } from '../resource/kind.ts'
import { Availability } from './Availability.tsx'
import type { DepartmentDraft } from './draft.ts'
import { Members } from './Members.tsx'
import { texts } from './texts.ts'

const strategies = ['manual', 'round_robin', 'least_busy'] as const

export function DepartmentForm({ draft, set, faults, item }: FormProps<Department, DepartmentDraft>) {
  const text = useTexts(texts)
  const departments = useDepartments()
  const configs = useSlaConfigs()
  const { assignment } = draft
  const means = {
    manual: text.manualMeans,
    round_robin: text.round_robinMeans,
    least_busy: text.least_busyMeans,
  }
  return (
    <>
      {item && <Availability departmentId={item.id} />}
      <TextField
        label={text.name}
        error={faults.at('/name')}
        required
        value={draft.name}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextArea
        label={text.description}
        error={faults.at('/description')}
        rows={2}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <TextField
        label={text.emailAddress}
        hint={text.emailHint}
        error={faults.at('/email')}
        type="email"
        value={draft.email}
        onChange={(event) => set({ email: event.target.value })}
      />
      <Check
        label={text.isPublic}
        checked={draft.public}
        onChange={(isPublic) => set({ public: isPublic })}
      />
      <Group title={text.assignment} intro={text.assignmentIntro}>
        <Select
          label={text.strategy}
          hint={means[assignment.strategy]}
          error={faults.at('/assignment/strategy')}
          options={strategies.map((value) => ({ value, label: text[value] }))}
          value={assignment.strategy}
          onChange={(event) =>
            set({
              assignment: { ...assignment, strategy: event.target.value as (typeof strategies)[number] },
            })
          }
        />
        {assignment.strategy !== 'manual' && (
          <NumberField
            label={text.most}
            error={faults.at('/assignment/max_open_per_operator')}
            min={1}
            placeholder={text.noLimit}
            value={assignment.max_open_per_operator}
            onChange={(value) => set({ assignment: { ...assignment, max_open_per_operator: value } })}
          />
        )}
        <Pair>
          <Select
            label={text.fallback}
            hint={text.fallbackHint}
            error={faults.at('/fallback_department_id')}
            options={[
              { value: '', label: text.noFallback },
              ...optionsOf(departments.data).filter(({ value }) => value !== item?.id),
            ]}
            value={draft.fallback_department_id ?? ''}
            onChange={(event) => set({ fallback_department_id: event.target.value || null })}
          />
          <Select
            label={text.sla}
            hint={text.slaHint}
            error={faults.at('/default_sla_config_id')}
            options={[{ value: '', label: text.noSla }, ...optionsOf(configs.data)]}
            value={draft.default_sla_config_id ?? ''}
            onChange={(event) => set({ default_sla_config_id: event.target.value || null })}
          />
        </Pair>
      </Group>
      <Group title={text.members} intro={item ? text.membersIntro : text.membersLater}>
        {item && <Members departmentId={item.id} />}
      </Group>
    </>
  )
}
