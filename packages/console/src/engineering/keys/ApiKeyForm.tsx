import { useState } from 'react'
import type { Scope } from '../../data/environment.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useEnvironmentNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { inputsOf } from '../../forms/inputs.ts'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { ScopeTable } from './ScopeTable.tsx'
import { texts } from './texts.ts'

const linesOf = (value: string): string[] =>
  value
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter(Boolean)

const blank = {
  name: '',
  kind: 'secret' as 'secret' | 'publishable',
  scopes: [] as Scope[],
  expires_at: '',
  allowed_cidrs: '',
  allowed_origins: '',
}

export function ApiKeyForm({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const nowMs = useEnvironmentNow()
  const [draft, setDraft] = useState(blank)
  const isSecret = draft.kind === 'secret'
  const { isPending, mutate, faults } = useWrite({
    run: () =>
      backline.apiKeys.create({
        name: draft.name.trim(),
        kind: draft.kind,
        scopes: isSecret ? draft.scopes : [],
        expires_at: fromLocal(draft.expires_at),
        allowed_cidrs: linesOf(draft.allowed_cidrs),
        allowed_origins: isSecret ? [] : linesOf(draft.allowed_origins),
      }),
    refresh: [['api_keys']],
    failed: text.createFailed,
    fields: Object.keys(blank),
    onDone: ({ secret }) => onCreated(secret),
  })
  const { field, input, select } = inputsOf({
    draft,
    labels: {
      name: text.name,
      kind: text.kind,
      scopes: text.scopes,
      expires_at: text.expiry,
      allowed_cidrs: text.networks,
      allowed_origins: text.origins,
    },
    faults,
    set: (change) => setDraft({ ...draft, ...change }),
  })
  return (
    <ActionDialog
      title={text.createApi}
      action={text.create}
      form="panel"
      isDisabled={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField {...input('name')} hint={text.nameHint} autoComplete="off" />
      <Select
        {...select('kind')}
        hint={text.apiIntro}
        options={[
          { value: 'secret', label: text.secret },
          { value: 'publishable', label: text.publishable },
        ]}
      />
      {isSecret ? (
        <ScopeTable {...field('scopes')} />
      ) : (
        <TextArea {...input('allowed_origins')} hint={text.originsHint} isCode rows={2} spellCheck={false} />
      )}
      <DateField {...input('expires_at')} hint={text.expiryHint} hasTime min={toLocal(nowMs)} />
      <TextArea {...input('allowed_cidrs')} hint={text.networksHint} isCode rows={2} spellCheck={false} />
    </ActionDialog>
  )
}
