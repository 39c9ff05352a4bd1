import type { CustomField } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { CheckboxField, FieldRow, Group } from '../../forms/Form.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { type FieldDraft, hasOptions, keyFromName } from './draft.ts'
import { Options } from './Options.tsx'
import { texts } from './texts.ts'

const owners = ['conversation', 'end_user', 'company'] as const
const types = ['text', 'number', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'url'] as const

export function FieldForm({
  draft,
  set,
  faults,
  item,
  field,
  input,
  select,
}: FormProps<CustomField, FieldDraft>) {
  const text = useTexts(texts)
  const isStored = item !== null
  function rename(name: string): void {
    const follows = !isStored && (draft.key === '' || draft.key === keyFromName(draft.name))
    set({ name, ...(follows && { key: keyFromName(name) }) })
  }
  return (
    <>
      <FieldRow>
        <TextField
          label={text.name}
          error={faults.at('/name')}
          required
          value={draft.name}
          onChange={(event) => rename(event.target.value)}
        />
        <TextField
          {...input('key')}
          hint={isStored ? text.keyHint : `${text.keyHint} ${text.fixed}`}
          required
          readOnly={isStored}
          isCode
        />
        <Select
          {...select('applies_to')}
          onChange={({ target }) =>
            set({ applies_to: target.value as FieldDraft['applies_to'], required_on: null })
          }
          disabled={isStored}
          options={owners.map((value) => ({ value, label: text[value] }))}
        />
        <Select
          {...select('type')}
          disabled={isStored}
          options={types.map((value) => ({ value, label: text[value] }))}
        />
      </FieldRow>
      <TextArea {...input('description')} rows={2} />
      {hasOptions(draft.type) && (
        <Group title={text.options} intro={text.optionsIntro}>
          <Options
            options={draft.options}
            stored={item?.options.map(({ value }) => value) ?? []}
            onChange={(options) => set({ options })}
            faults={faults.within('/options')}
          />
        </Group>
      )}
      <FieldRow>
        {draft.applies_to === 'conversation' && (
          <Select
            {...select('required_on')}
            options={[
              { value: '', label: text.never },
              { value: 'create', label: text.onCreate },
              { value: 'resolve', label: text.onResolve },
            ]}
          />
        )}
        <Select
          {...select('end_user_access')}
          options={[
            { value: 'none', label: text.accessNone },
            { value: 'read', label: text.accessRead },
            { value: 'write', label: text.accessWrite },
          ]}
        />
      </FieldRow>
      <div>
        <CheckboxField {...field('indexed')} label={text.isIndexed} hint={text.indexHint} />
        {item && <IndexState field={item} />}
      </div>
    </>
  )
}

/** Whether filters use the index of a field already. */
export function IndexState({ field }: { field: CustomField }) {
  const text = useTexts(texts)
  if (field.index_status === 'none') return null
  const isReady = field.index_status === 'ready'
  return <Badge tone={isReady ? 'good' : 'warn'}>{isReady ? text.ready : text.building}</Badge>
}
