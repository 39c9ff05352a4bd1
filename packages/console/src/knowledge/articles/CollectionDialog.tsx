import { type KbCollection, PreconditionFailedError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextArea, TextField } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { collectionsKey, idsBelow, useCollections } from '../shared/collections.ts'
import { fieldErrorsOf } from '../shared/errors.ts'
import { texts } from './texts.ts'

/** A new collection, or one that is changed. */
export type CollectionForm = { parentId: string | null } | { collection: KbCollection }

type Fields = { name: string; slug: string; parent_id: string | null; description: string }

const blank: Fields = { name: '', slug: '', parent_id: null, description: '' }

const fieldsOf = ({ name, slug, parent_id, description }: KbCollection): Fields => ({
  name,
  slug,
  parent_id,
  description: description ?? '',
})

const isChanged = (now: Fields, before: Fields, name: keyof Fields): boolean => now[name] !== before[name]

export function CollectionDialog({ form, onClose }: { form: CollectionForm; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const formId = useId()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const all = useCollections().data ?? []
  const existing = 'collection' in form ? form.collection : null
  const [base, setBase] = useState(existing)
  const [fields, setFields] = useState<Fields>(
    'collection' in form ? fieldsOf(form.collection) : { ...blank, parent_id: form.parentId },
  )
  /** Values of somebody else for fields that this person changed too. */
  const [meanwhile, setMeanwhile] = useState<Partial<Fields>>({})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const set = (patch: Partial<Fields>) => setFields((now) => ({ ...now, ...patch }))

  async function write(): Promise<void> {
    const { slug, description, ...rest } = fields
    const whole = { ...rest, description: description || null, ...(slug && { slug }) }
    if (base) {
      const before = fieldsOf(base)
      const changed = Object.entries(whole).filter(([name]) =>
        isChanged(fields, before, name as keyof Fields),
      )
      await backline.kb.collections.update(base.id, Object.fromEntries(changed), {
        ifMatch: `"${base.version}"`,
      })
      return
    }
    const siblings = all.filter(({ parent_id }) => parent_id === whole.parent_id)
    const position = Math.max(-1, ...siblings.map((each) => each.position)) + 1
    await backline.kb.collections.create({ ...whole, position })
  }

  /** Takes over what only somebody else changed, and shows what both changed. */
  async function merge(known: KbCollection): Promise<void> {
    const now = await backline.kb.collections.retrieve(known.id)
    const [before, theirs] = [fieldsOf(known), fieldsOf(now)]
    const others = (Object.keys(theirs) as (keyof Fields)[]).filter((name) => isChanged(theirs, before, name))
    const pick = (isMine: boolean) =>
      Object.fromEntries(
        others
          .filter((name) => isChanged(fields, before, name) === isMine)
          .map((name) => [name, theirs[name]]),
      )
    setBase(now)
    set(pick(false))
    setMeanwhile(pick(true))
  }

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    try {
      await write()
      onClose()
    } catch (error) {
      const found = fieldErrorsOf(error)
      setErrors(found)
      if (error instanceof PreconditionFailedError && base) {
        await merge(base).catch(() => undefined) // saving again tells what is wrong
        toast.failed({ title: text.notSaved, detail: text.changedMeanwhile })
      } else if (Object.keys(found).length === 0)
        toast.failed({ title: text.notSaved, detail: reasonOf(error) })
    } finally {
      setBusy(false)
      await cache.invalidateQueries({ queryKey: collectionsKey })
    }
  }

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={existing ? text.editTitle : text.newCollection}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={formId} disabled={isBusy}>
            {existing ? text.save : text.create}
          </Button>
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} onSubmit={(event: FormEvent) => void save(event)}>
        <TextField
          label={text.name}
          required
          maxLength={255}
          value={fields.name}
          error={errors.name}
          hint={meanwhile.name && text.meanwhile(meanwhile.name)}
          onChange={(event) => set({ name: event.target.value })}
        />
        <CollectionSelect
          label={text.parent}
          none={text.topLevel}
          value={fields.parent_id}
          error={errors.parent_id}
          onChange={(parent_id) => set({ parent_id })}
          {...(existing && { without: idsBelow(existing.id, all) })}
        />
        <TextField
          label={text.slug}
          hint={meanwhile.slug ? text.meanwhile(meanwhile.slug) : text.slugHint}
          maxLength={100}
          value={fields.slug}
          error={errors.slug}
          onChange={(event) => set({ slug: event.target.value })}
        />
        <TextArea
          label={text.description}
          value={fields.description}
          error={errors.description}
          hint={meanwhile.description && text.meanwhile(meanwhile.description)}
          onChange={(event) => set({ description: event.target.value })}
        />
      </Stack>
    </Dialog>
  )
}
