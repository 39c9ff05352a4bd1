import type { View } from '@backline/sdk'
import { columnOfKey } from '../../data/columns.ts'
import { optionsOf, useCustomFields, useDepartments, useOperators } from '../../data/configuration.ts'
import { Faults } from '../../data/faults.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { Notice } from '../../design/Layout.tsx'
import { FilterBuilder } from '../../filters/FilterBuilder.tsx'
import { FieldRow, Group } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { brokenText } from '../../texts/faults.ts'
import { fieldTexts } from '../../texts/fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { columnsOf, firstFilter, sortsOf, type ViewDraft } from './draft.ts'
import { texts } from './texts.ts'

export function ViewForm({ draft, set, faults, item, field, input, select }: FormProps<View, ViewDraft>) {
  const text = useTexts(texts)
  const names: Partial<Record<string, string>> = useTexts(fieldTexts)
  const offered = columnsOf[draft.applies_to]
  const custom = new Map(
    useCustomFields()
      .data?.filter(({ applies_to }) => applies_to === draft.applies_to)
      .map(({ key, name }) => [columnOfKey(key), name]),
  )
  const operators = useOperators()
  const departments = useDepartments()
  const sorts = {
    '-created_at': text.newest,
    created_at: text.oldest,
    '-updated_at': text.changed,
    '-last_message_at': text.lastMessage,
    sla_due_at: text.due,
    '-last_seen_at': text.seen,
    name: text.byName,
  }
  const found = faults.within('/filter')
  const broken = item?.broken ?? null
  return (
    <>
      {broken && (
        <Notice tone="bad" role="alert">
          <strong>{text.brokenTitle}</strong>
          <p>{text.brokenHint}</p>
          <p>{brokenText(broken)}</p>
        </Notice>
      )}
      <FieldRow>
        <TextField {...input('name')} required />
        <TextField {...input('description')} />
      </FieldRow>
      <FieldRow>
        <Select
          label={text.appliesTo}
          error={faults.at('/applies_to')}
          disabled={item !== null}
          options={(['conversation', 'end_user'] as const).map((value) => ({ value, label: text[value] }))}
          value={draft.applies_to}
          onChange={({ target }) => {
            const applies_to = target.value as ViewDraft['applies_to']
            set({ applies_to, filter: firstFilter[applies_to], sort: '-created_at', columns: [] })
          }}
        />
        <Select
          {...select('sort')}
          options={sortsOf[draft.applies_to].map((value) => ({ value, label: sorts[value] }))}
        />
      </FieldRow>
      <Group title={text.filter}>
        <FilterBuilder
          appliesTo={draft.applies_to}
          filter={draft.filter}
          onChange={(filter) => set({ filter })}
          faults={broken && found.count === 0 ? new Faults([broken]) : found}
        />
      </Group>
      <Group title={text.visibility} intro={text.visibilityIntro}>
        <FieldRow>
          <MultiSelect
            label={text.departments}
            error={faults.under('/visibility/department_ids')}
            options={optionsOf(departments.data)}
            value={draft.visibility.department_ids}
            onChange={(department_ids) => set({ visibility: { ...draft.visibility, department_ids } })}
          />
          <MultiSelect
            label={text.operators}
            error={faults.under('/visibility/operator_ids')}
            options={optionsOf(operators.data)}
            value={draft.visibility.operator_ids}
            onChange={(operator_ids) => set({ visibility: { ...draft.visibility, operator_ids } })}
          />
        </FieldRow>
        <MultiSelect
          {...field('columns')}
          hint={text.columnsHint}
          options={[...new Set([...offered, ...custom.keys(), ...draft.columns])].map((value) => ({
            value,
            label: names[value] ?? custom.get(value) ?? value,
          }))}
        />
      </Group>
    </>
  )
}
