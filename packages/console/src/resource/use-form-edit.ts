import { useEffect, useState } from 'react'
import { writeIfUnchanged } from '../data/conditional-write.ts'
import { Faults } from '../data/faults.ts'
import { useWrite } from '../data/write.ts'
import { useToast } from '../design/Toast.tsx'
import { changesOf, isEqual, rebased } from '../forms/changes.ts'
import { useTexts } from '../texts/language.tsx'
import type { FormDescriptor, Resource } from './descriptor.ts'
import { texts } from './texts.ts'

/**
 * The values that a person edits, of an object or of a new one. `base` is what was stored when the editing began: the
 * difference is sent, under the condition that nobody else has changed what the form shows. After a conflict, fields
 * that only others have changed are theirs, and saving again stores the rest.
 */
export function useFormEdit<Item extends Resource, Draft extends object>(
  resource: FormDescriptor<Item, Draft>,
  item: Item | null,
  onSaved: (item: Item) => void,
) {
  const { api, draftOf, nameOf } = resource
  const text = useTexts(texts)
  const toast = useToast()
  const [base, setBase] = useState(item)
  const [draft, setDraft] = useState(() => draftOf(item))
  const [conflict, setConflict] = useState<{ before: Item; newer: Item } | null>(null)
  const bodyOf = (value: Draft, stored: Item | null) => resource.bodyOf?.(value, stored) ?? value

  const write = useWrite<{ draft: Draft; seen: Item | null }, Item>({
    async run({ draft, seen }) {
      if (seen === null) return api.create(bodyOf(draft, null) as never)
      const changes = changesOf(bodyOf(draftOf(seen), seen), bodyOf(draft, seen))
      if (Object.keys(changes).length === 0) return seen
      return writeIfUnchanged({
        seen,
        write: (options) => api.update(seen.id, changes as never, options),
        read: () => api.retrieve(seen.id),
        isSame: (newer, before) => isEqual(draftOf(newer), draftOf(before)),
      })
    },
    refresh: [[resource.path]],
    failed: text.notSaved,
    fields: Object.keys(draft),
    faultsOf(error) {
      const refusal = resource.refusalOf?.(error)
      return refusal ? new Faults([refusal]) : Faults.of(error, text.taken)
    },
    onDone(saved, { seen }) {
      begin(saved)
      toast.done({ title: (seen ? text.saved : text.created)(nameOf(saved)) })
      onSaved(saved)
    },
    onConflict(newer, { seen }) {
      if (seen === null) return
      setBase(newer)
      setDraft((edited) => rebased(edited, draftOf(seen), draftOf(newer)))
      setConflict({ before: seen, newer })
    },
  })

  function begin(from: Item | null): void {
    setConflict(null)
    setBase(from)
    setDraft(draftOf(from))
  }

  // A version in which nothing of the form has changed, such as one of a new member, is no conflict.
  useEffect(() => {
    if (item && base && item.version > base.version && isEqual(draftOf(item), draftOf(base))) setBase(item)
  }, [item, base, draftOf])

  return {
    draft,
    base,
    faults: write.faults,
    conflict,
    isDirty: !isEqual(draft, draftOf(base)),
    isSaving: write.isPending,
    set: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    save() {
      if (!write.isPending) write.mutate({ draft, seen: base })
    },
    takeTheirs() {
      if (write.isPending) return
      begin(base)
      write.reset()
    },
  }
}
