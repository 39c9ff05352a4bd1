import { ApiError } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useToast } from '../../design/Toast.tsx'
import { changesOf, isEqual, rebased } from '../../forms/changes.ts'
import { Faults } from '../../forms/faults.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Kind, Resource } from './kind.ts'
import { texts } from './texts.ts'

const isConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'precondition_failed'

/**
 * The values that a person edits, of an object or of a new one. `base` is what was stored when the editing began: the
 * difference is sent, under the condition that nobody else has changed what the form shows.
 */
export function useDraft<Item extends Resource, Draft extends object>(
  kind: Kind<Item, Draft>,
  item: Item | null,
  onSaved: (item: Item) => void,
) {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const [base, setBase] = useState(item)
  const [draft, setDraft] = useState(() => kind.draftOf(item))
  const [faults, setFaults] = useState(new Faults())
  const [conflict, setConflict] = useState<Item | null>(null)
  const [isSaving, setSaving] = useState(false)
  const isDirty = !isEqual(draft, kind.draftOf(base))

  // A version in which nothing of the form has changed, such as one of a new member, is no conflict.
  useEffect(() => {
    if (item && base && item.version > base.version && isEqual(kind.draftOf(item), kind.draftOf(base)))
      setBase(item)
  }, [item, base, kind])

  const bodyOf = (value: Draft): object => kind.bodyOf?.(value) ?? value

  async function write(from: Item | null): Promise<Item | null> {
    if (!from) return kind.api.create(bodyOf(draft) as never)
    const changes = changesOf(bodyOf(kind.draftOf(from)), bodyOf(draft))
    if (Object.keys(changes).length === 0) return from
    try {
      return await kind.api.update(from.id, changes as never, { ifMatch: `"${from.version}"` })
    } catch (error) {
      if (!isConflict(error)) throw error
      const current = await kind.api.retrieve(from.id)
      if (isEqual(kind.draftOf(current), kind.draftOf(from)))
        return kind.api.update(from.id, changes as never, { ifMatch: `"${current.version}"` })
      setConflict(current)
      setDraft(rebased(draft, kind.draftOf(from), kind.draftOf(current)))
      return null
    }
  }

  async function save(from: Item | null = base): Promise<void> {
    if (isSaving) return
    setSaving(true)
    setFaults(new Faults())
    try {
      const saved = await write(from)
      if (!saved) return
      setBase(saved)
      setDraft(kind.draftOf(saved))
      setConflict(null)
      toast.done({ title: (from ? text.saved : text.created)(kind.nameOf(saved)) })
      onSaved(saved)
    } catch (error) {
      const refusal = kind.refusalOf?.(error)
      const found = refusal ? new Faults([refusal]) : Faults.of(error, text.taken)
      setFaults(found)
      if (found.count === 0) toast.failed({ title: text.notSaved, detail: reasonOf(error) })
    } finally {
      setSaving(false)
      void cache.invalidateQueries({ queryKey: [kind.path] })
    }
  }

  return {
    draft,
    base,
    faults,
    conflict,
    isDirty,
    isSaving,
    set: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    save,
    /** Saves the fields that this person has changed; the others are those of the other person already. */
    keepMine: () => (conflict ? save(conflict) : undefined),
    takeTheirs() {
      if (!conflict) return
      setBase(conflict)
      setDraft(kind.draftOf(conflict))
      setConflict(null)
    },
  }
}
