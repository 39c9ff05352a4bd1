import type { Department } from '@backline/sdk'
import { optionsOf, useDepartments, useSlaConfigs } from '../../data/configuration.ts'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { CheckboxField, FieldRow, Group } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { ClaimOrderSelect } from '../claiming/ClaimOrderSelect.tsx'
import { claimingTexts } from '../claiming/texts.ts'
import { Availability } from './Availability.tsx'
import type { DepartmentDraft } from './draft.ts'
import { Members } from './Members.tsx'
import { texts } from './texts.ts'

const strategies = ['manual', 'round_robin', 'least_busy'] as const

export function DepartmentForm({
  draft,
  set,
  faults,
  item,
  field,
  input,
  select,
}: FormProps<Department, DepartmentDraft>) {
  const text = useTexts(texts)
  const claiming = useTexts(claimingTexts)
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
      <TextField {...input('name')} required />
      <TextArea {...input('description')} rows={2} />
      <TextField {...input('email')} hint={text.emailHint} type="email" />
      <CheckboxField {...field('public')} />
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
        <ClaimOrderSelect {...field('claim_order')} scope={claiming.inDepartment} />
        <CheckboxField {...field('reply_assigns')} hint={claiming.replyAssignsMeans} />
        <FieldRow>
          <Select
            {...select('fallback_department_id')}
            hint={text.fallbackHint}
            empty={text.noFallback}
            options={optionsOf(departments.data).filter(({ value }) => value !== item?.id)}
          />
          <Select
            {...select('default_sla_config_id')}
            hint={text.slaHint}
            empty={text.noSla}
            options={optionsOf(configs.data)}
          />
        </FieldRow>
      </Group>
      <Group title={text.members} intro={item ? text.membersIntro : text.membersLater}>
        {item && <Members departmentId={item.id} />}
      </Group>
    </>
  )
}
