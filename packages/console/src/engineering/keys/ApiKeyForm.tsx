import { useState } from 'react'
import type { Scope } from '../../data/environment.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { useEnvironmentNow } from '../shared/clock.ts'
import { ScopeTable } from './ScopeTable.tsx'
import { texts } from './texts.ts'

const linesOf = (value: string): string[] =>
  value
    .split(/[\s,]+/)
    .map((line) => line.trim())
    .filter(Boolean)

const fields = ['name', 'scopes', 'expires_at', 'allowed_cidrs', 'allowed_origins']

export function ApiKeyForm({ onClose, onCreated }: { onClose(): void; onCreated(secret: string): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const nowMs = useEnvironmentNow()
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret')
  const [scopes, setScopes] = useState<Scope[]>([])
  const [expiry, setExpiry] = useState('')
  const [networks, setNetworks] = useState('')
  const [origins, setOrigins] = useState('')
  const isSecret = kind === 'secret'
  const { isPending, mutate, faults } = useWrite({
    run: () =>
      backline.apiKeys.create({
        name: name.trim(),
        kind,
        scopes: isSecret ? scopes : [],
        expires_at: fromLocal(expiry),
        allowed_cidrs: linesOf(networks),
        allowed_origins: isSecret ? [] : linesOf(origins),
      }),
    refresh: [['api_keys']],
    failed: text.createFailed,
    fields,
    onDone: ({ secret }) => onCreated(secret),
  })
  return (
    <ActionDialog
      title={text.createApi}
      action={text.create}
      form="panel"
      noValidate
      isDisabled={isPending}
      onSubmit={mutate}
      onClose={onClose}
    >
      <TextField
        label={text.name}
        hint={text.nameHint}
        value={name}
        autoComplete="off"
        error={faults.under('/name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Select
        label={text.kind}
        value={kind}
        hint={text.apiIntro}
        options={[
          { value: 'secret', label: text.secret },
          { value: 'publishable', label: text.publishable },
        ]}
        onChange={(event) => setKind(event.target.value as typeof kind)}
      />
      {isSecret && <ScopeTable scopes={scopes} onChange={setScopes} error={faults.under('/scopes')} />}
      {!isSecret && (
        <TextArea
          label={text.origins}
          hint={text.originsHint}
          isCode
          rows={2}
          spellCheck={false}
          value={origins}
          error={faults.under('/allowed_origins')}
          onChange={(event) => setOrigins(event.target.value)}
        />
      )}
      <TextField
        label={text.expiry}
        hint={text.expiryHint}
        type="datetime-local"
        value={expiry}
        min={toLocal(nowMs)}
        error={faults.under('/expires_at')}
        onChange={(event) => setExpiry(event.target.value)}
      />
      <TextArea
        label={text.networks}
        hint={text.networksHint}
        isCode
        rows={2}
        spellCheck={false}
        value={networks}
        error={faults.under('/allowed_cidrs')}
        onChange={(event) => setNetworks(event.target.value)}
      />
    </ActionDialog>
  )
}
