import { type CreateIdentityKeyBody, type IdentityKey, PreconditionFailedError } from '@backline/sdk'
import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Notice, Stack } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Changes } from '../shared/Changes.tsx'
import type { Change } from '../shared/differences.ts'
import { useSubmit } from '../shared/use-submit.ts'
import { texts } from './texts.ts'

const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
const edited = ['name', 'issuer', 'audience'] as const

type FormProps = {
  /** Null for a new one. */
  identityKey: IdentityKey | null
  onClose(): void
  /** The secret of a new key of HS256, null otherwise. */
  onSaved(secret: string | null): void
}

/** A JWK is sent as an object, PEM as a text. */
function publicKeyOf(value: string): CreateIdentityKeyBody['public_key'] {
  if (!value.trim().startsWith('{')) return value.trim() || null
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

export function IdentityKeyForm({ identityKey, onClose, onSaved }: FormProps) {
  const text = useTexts(texts)
  const formId = useId()
  const { backline } = useEnvironment()
  const [base, setBase] = useState(identityKey)
  const [theirs, setTheirs] = useState<Record<string, Change> | null>(null)
  const [algorithm, setAlgorithm] = useState<(typeof algorithms)[number]>('HS256')
  const [publicKey, setPublicKey] = useState('')
  const [draft, setDraft] = useState({
    name: identityKey?.name ?? '',
    issuer: identityKey?.issuer ?? '',
    audience: identityKey?.audience ?? '',
  })
  const { isPending, submit, faultOf } = useSubmit({
    failed: identityKey === null ? text.createFailed : text.saveFailed,
    refresh: [['identity_keys']],
    fields: ['name', 'issuer', 'audience', 'public_key', 'algorithm'],
  })

  async function save(): Promise<{ secret: string | null } | null> {
    const body = {
      name: draft.name.trim(),
      issuer: draft.issuer.trim() || null,
      audience: draft.audience.trim() || null,
    }
    if (base === null)
      return backline.identityKeys.create({
        ...body,
        algorithm,
        ...(algorithm !== 'HS256' && { public_key: publicKeyOf(publicKey) }),
      })
    try {
      await backline.identityKeys.update(base.id, body, { ifMatch: `"${base.version}"` })
      return { secret: null }
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
      const now = await backline.identityKeys.retrieve(base.id)
      const changed = edited.filter((field) => base[field] !== now[field])
      setTheirs(Object.fromEntries(changed.map((field) => [field, { from: base[field], to: now[field] }])))
      setBase(now)
      return null
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    void submit(save, (saved) => saved && onSaved(saved.secret))
  }

  const field = (name: (typeof edited)[number], hint: string) => (
    <TextField
      label={text[name]}
      hint={hint}
      value={draft[name]}
      autoComplete="off"
      error={faultOf(`/${name}`)}
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
    />
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={identityKey === null ? text.createIdentity : text.editIdentity}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="primary" disabled={isPending}>
            {identityKey === null ? text.create : text.save}
          </Button>
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} onSubmit={onSubmit} noValidate>
        {theirs && (
          <Notice tone="warn" role="alert">
            <p>{text.conflict}</p>
            <Changes changes={theirs} caption={text.changes} />
          </Notice>
        )}
        {field('name', text.signerHint)}
        {identityKey === null && (
          <Select
            label={text.algorithm}
            value={algorithm}
            error={faultOf('/algorithm')}
            options={algorithms.map((value) => ({
              value,
              label: value === 'HS256' ? text.hs256 : text.ownKey(value),
            }))}
            onChange={(event) => setAlgorithm(event.target.value as typeof algorithm)}
          />
        )}
        {identityKey === null && algorithm !== 'HS256' && (
          <TextArea
            label={text.publicKey}
            hint={text.publicKeyHint}
            isCode
            rows={6}
            spellCheck={false}
            value={publicKey}
            error={faultOf('/public_key')}
            onChange={(event) => setPublicKey(event.target.value)}
          />
        )}
        {field('issuer', text.issuerHint)}
        {field('audience', text.audienceHint)}
      </Stack>
    </Dialog>
  )
}
