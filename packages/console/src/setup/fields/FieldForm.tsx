import type { CustomField } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { Fault, Select, TextArea, TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { Check, Group, Pair } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { FormProps } from '../resource/kind.ts'
import { type FieldDraft, hasOptions, keyOf } from './draft.ts'
import { Options } from './Options.tsx'
import { texts } from './texts.ts'

const owners = ['conversation', 'end_user', 'company'] as const
const types = ['text', 'number', 'boolean', 'date', 'datetime', 'select', 'multi_select', 'url'] as const

export function FieldForm({ draft, set, faults, item }: FormProps<CustomField, FieldDraft>) {
  const text = useTexts(texts)
  const isStored = item !== null
  function rename(name: string): void {
    const follows = !isStored && (draft.key === '' || draft.key === keyOf(draft.name))
    set({ name, ...(follows && { key: keyOf(name) }) })
  }
  return (
    <>
      <Pair>
        <TextField
          label={text.name}
          error={faults.at('/name')}
          required
          value={draft.name}
          onChange={(event) => rename(event.target.value)}
        />
        <TextField
          label={text.key}
          hint={isStored ? text.keyHint : `${text.keyHint} ${text.fixed}`}
          error={faults.at('/key')}
          required
          readOnly={isStored}
          isCode
          value={draft.key}
          onChange={(event) => set({ key: event.target.value })}
        />
        <Select
          label={text.appliesTo}
          error={faults.at('/applies_to')}
          disabled={isStored}
          options={owners.map((value) => ({ value, label: text[value] }))}
          value={draft.applies_to}
          onChange={({ target }) =>
            set({ applies_to: target.value as FieldDraft['applies_to'], required_on: null })
          }
        />
        <Select
          label={text.type}
          error={faults.at('/type')}
          disabled={isStored}
          options={types.map((value) => ({ value, label: text[value] }))}
          value={draft.type}
          onChange={({ target }) => set({ type: target.value as FieldDraft['type'] })}
        />
      </Pair>
      <TextArea
        label={text.description}
        error={faults.at('/description')}
        rows={2}
        value={draft.description}
        onChange={(event) => set({ description: event.target.value })}
      />
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
      <Pair>
        {draft.applies_to === 'conversation' && (
          <Select
            label={text.required}
            error={faults.at('/required_on')}
            options={[
              { value: '', label: text.never },
              { value: 'create', label: text.onCreate },
              { value: 'resolve', label: text.onResolve },
            ]}
            value={draft.required_on ?? ''}
            onChange={({ target }) =>
              set({ required_on: textOrNull(target.value) as FieldDraft['required_on'] })
            }
          />
        )}
        <Select
          label={text.endUsers}
          error={faults.at('/end_user_access')}
          options={[
            { value: 'none', label: text.accessNone },
            { value: 'read', label: text.accessRead },
            { value: 'write', label: text.accessWrite },
          ]}
          value={draft.end_user_access}
          onChange={({ target }) => set({ end_user_access: target.value as FieldDraft['end_user_access'] })}
        />
      </Pair>
      <div>
        <Check
          label={text.isIndexed}
          hint={text.indexHint}
          checked={draft.indexed}
          onChange={(indexed) => set({ indexed })}
        />
        <Fault>{faults.at('/indexed')}</Fault>
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
