import type { FilterTree, RetentionPolicy } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ifUnchanged } from '../../data/conditional-write.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Fieldset, RadioCard, TextField } from '../../design/Field.tsx'
import { Notice } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { FilterBuilder } from '../../filters/FilterBuilder.tsx'
import { asFilter, asGroup } from '../../filters/tree.ts'
import { Group } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import type { FormProps, ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { retentionTexts } from './retention-texts.ts'

const daySeconds = 86_400
const actions = ['redact', 'delete_files', 'delete'] as const

type Draft = {
  name: string
  filter: FilterTree
  after_seconds: number | null
  action: RetentionPolicy['action']
}

const firstFilter: FilterTree = { all: [{ field: 'status', op: 'is', value: 'closed' }] }
const firstDays = 365

/** Policies that redact or delete conversations some time after they were closed. */
export function Retention() {
  const text = useTexts(retentionTexts)
  const { backline } = useEnvironment()
  const [enabled, setEnabled] = useState<RetentionPolicy | null>(null)
  const setStatus = useWrite({
    run: (policy: RetentionPolicy) =>
      backline.retentionPolicies.update(
        policy.id,
        { status: policy.status === 'enabled' ? 'paused' : 'enabled' } as never,
        ifUnchanged(policy),
      ),
    refresh: [['retention_policies']],
    failed: text.statusFailed,
    onDone: () => setEnabled(null),
  })
  const actionText = { redact: text.redact, delete_files: text.delete_files, delete: text.deleteAll }
  const resource: ResourceDescriptor<RetentionPolicy, Draft> = {
    path: 'retention_policies',
    scope: 'erasure:write',
    icon: 'clock',
    api: backline.retentionPolicies,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name }) => name,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      { name: 'action', label: text.action, cell: ({ action }) => actionText[action] },
      {
        name: 'after',
        label: text.after,
        cell: ({ after_seconds }) => text.days(Math.round(after_seconds / daySeconds)),
      },
      {
        name: 'status',
        label: text.status,
        cell: ({ status }) =>
          status === 'enabled' ? <Badge tone="good">{text.enabled}</Badge> : <Badge>{text.paused}</Badge>,
      },
    ],
    draftOf: (policy) => ({
      name: policy?.name ?? '',
      filter: policy ? asGroup(policy.filter) : firstFilter,
      after_seconds: policy?.after_seconds ?? firstDays * daySeconds,
      action: policy?.action ?? 'redact',
    }),
    bodyOf: (draft) => ({ ...draft, filter: asFilter(draft.filter) }),
    labels: { name: text.name, filter: text.filter, after_seconds: text.afterDays, action: text.action },
    form: RetentionForm,
    width: 'wide',
    staysOpen: 'always',
    hasArchive: false,
    actionsOf: (policy) => [
      policy.status === 'enabled'
        ? { label: text.pause, icon: 'pause', onSelect: () => setStatus.mutate(policy) }
        : { label: text.enable, icon: 'play', onSelect: () => setEnabled(policy) },
    ],
  }
  return (
    <>
      <ResourcePage resource={resource} />
      {enabled && (
        <ActionDialog
          title={text.enableTitle(enabled.name)}
          action={text.enable}
          isDangerous
          isDisabled={setStatus.isPending}
          onSubmit={() => setStatus.mutate(enabled)}
          onClose={() => setEnabled(null)}
        >
          <Preview policy={enabled} />
          <p>{text.enableHint}</p>
        </ActionDialog>
      )}
    </>
  )
}

function RetentionForm({ draft, set, faults, item, field, input }: FormProps<RetentionPolicy, Draft>) {
  const text = useTexts(retentionTexts)
  const { value, onChange, ...described } = field('after_seconds')
  const named = {
    redact: [text.redact, text.redactHint],
    delete_files: [text.delete_files, text.delete_filesHint],
    delete: [text.deleteAll, text.deleteAllHint],
  }
  return (
    <>
      <TextField {...input('name')} required />
      <Group title={text.filter}>
        <FilterBuilder
          appliesTo="conversation"
          filter={draft.filter}
          onChange={(filter) => set({ filter })}
          faults={faults.within('/filter')}
          hasReader={false}
        />
      </Group>
      <NumberField
        {...described}
        required
        min={1}
        value={value === null ? null : Math.round(value / daySeconds)}
        onChange={(days) => onChange(days === null ? null : days * daySeconds)}
      />
      <Fieldset legend={text.action} error={faults.at('/action')}>
        {actions.map((action) => (
          <RadioCard
            key={action}
            name="action"
            label={named[action][0]}
            hint={named[action][1]}
            checked={draft.action === action}
            onChange={() => set({ action })}
          />
        ))}
      </Fieldset>
      <Group title={text.preview} intro={item ? text.previewIntro : text.previewLater}>
        {item && <Preview policy={item} />}
      </Group>
    </>
  )
}

/** The number of conversations that a policy would apply to now, and the oldest of them. */
function Preview({ policy: { id, version } }: { policy: RetentionPolicy }) {
  const text = useTexts(retentionTexts)
  const { number, moment } = useFormats()
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: ['retention_policies', id, 'preview', version],
    queryFn: () => backline.retentionPolicies.preview(id),
  })
  return (
    <div aria-live="polite">
      <Loaded query={query} lines={1}>
        {({ matched, more, oldest }) => (
          <Notice tone="info" icon="filter">
            <strong>{text.matched(matched, `${number(matched)}${more ? '+' : ''}`)}</strong>
            {oldest && `, ${text.oldest} ${moment(oldest)}`}
          </Notice>
        )}
      </Loaded>
    </div>
  )
}
