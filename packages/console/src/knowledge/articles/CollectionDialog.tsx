import { type KbCollection, PreconditionFailedError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextArea, TextField } from '../../design/Field.tsx'
import { reasonOf } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { CollectionSelect } from '../shared/CollectionSelect.tsx'
import { collectionsKey, idsBelow, useCollections } from '../shared/collections.ts'
import { fieldErrorsOf } from '../shared/errors.ts'
import styles from './Form.module.css'
import { texts } from './texts.ts'

/** A new collection, or one that is changed. */
export type CollectionForm = { parentId: string | null } | { collection: KbCollection }

export function CollectionDialog({ form, onClose }: { form: CollectionForm; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const formId = useId()
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const all = useCollections().data ?? []
  const existing = 'collection' in form ? form.collection : null
  const [version, setVersion] = useState(existing?.version)
  const [fields, setFields] = useState({
    name: existing?.name ?? '',
    slug: existing?.slug ?? '',
    parent_id: 'collection' in form ? form.collection.parent_id : form.parentId,
    description: existing?.description ?? '',
  })
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const set = (patch: Partial<typeof fields>) => setFields((now) => ({ ...now, ...patch }))

  async function write(): Promise<void> {
    const { slug, ...rest } = fields
    const body = { ...rest, description: rest.description || null, ...(slug && { slug }) }
    if (existing) await backline.kb.collections.update(existing.id, body, { ifMatch: `"${version}"` })
    else {
      const siblings = all.filter(({ parent_id }) => parent_id === body.parent_id)
      const position = Math.max(-1, ...siblings.map((each) => each.position)) + 1
      await backline.kb.collections.create({ ...body, position })
    }
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
      if (error instanceof PreconditionFailedError && existing) {
        setVersion((await backline.kb.collections.retrieve(existing.id)).version)
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
      <form id={formId} className={styles.form} onSubmit={(event) => void save(event)}>
        <TextField
          label={text.name}
          required
          maxLength={255}
          value={fields.name}
          error={errors.name}
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
          hint={text.slugHint}
          maxLength={100}
          value={fields.slug}
          error={errors.slug}
          onChange={(event) => set({ slug: event.target.value })}
        />
        <TextArea
          label={text.description}
          value={fields.description}
          error={errors.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </form>
    </Dialog>
  )
}
