import { PreconditionFailedError, type RequestOptions } from '@backline/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useToast } from '../../design/Toast.tsx'
import { isEqual } from '../../forms/changes.ts'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { faultAt } from './fault-at.ts'
import { texts } from './texts.ts'
import { useFresh } from './use-fresh.ts'

type Versioned = { id: string; version: number }

export type Saving<Item extends Versioned, Value> = {
  object: Item
  queryKey: QueryKey
  /** The field in the body of the request, as a JSON Pointer. */
  pointer: string
  valueIn(object: Item): Value
  read(): PromiseLike<Item>
  write(value: Value, options: RequestOptions): PromiseLike<Item>
}

/**
 * Saves one field of an object. If the object has changed since the person began, but not in this field, the change is
 * sent again with the new version. If somebody changed this field, `theirs` is what it is now.
 */
export function useSave<Item extends Versioned, Value>(saving: Saving<Item, Value>) {
  const { object, queryKey, pointer, valueIn, read, write } = saving
  const text = useTexts(texts)
  const toast = useToast()
  const fresh = useFresh()
  const cache = useQueryClient()
  const [isSaving, setSaving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<{ value: Value; mine: Value; now: Item } | null>(null)
  const begun = useRef<Item | null>(null)

  async function send(value: Value, seen: Item): Promise<boolean> {
    try {
      fresh(queryKey, await write(value, { ifMatch: `"${seen.version}"` }))
      return true
    } catch (error) {
      if (!(error instanceof PreconditionFailedError)) throw error
    }
    const now = await read()
    fresh(queryKey, now)
    if (!isEqual(valueIn(now), valueIn(seen))) {
      setTheirs({ value: valueIn(now), mine: value, now })
      return false
    }
    return send(value, now)
  }

  /** @param seen the object as the person saw it */
  async function save(value: Value, seen: Item = begun.current ?? object): Promise<boolean> {
    setSaving(true)
    setFault(null)
    setTheirs(null)
    try {
      const isSaved = await send(value, seen)
      if (!isSaved) return false
      begun.current = null
      void cache.invalidateQueries({ queryKey, exact: true })
      return true
    } catch (error) {
      const found = faultAt(error, pointer)
      setFault(found)
      if (!found) toast.failed({ title: text.notSaved, detail: reasonOf(error) })
      return false
    } finally {
      setSaving(false)
    }
  }

  return {
    /** Notes the object as the person sees it now, for a save that comes later. */
    begin() {
      begun.current = object
    },
    save: (value: Value) => save(value),
    reset() {
      begun.current = null
      setFault(null)
      setTheirs(null)
    },
    overwrite: () => (theirs ? save(theirs.mine, theirs.now) : Promise.resolve(false)),
    isSaving,
    fault,
    theirs,
  }
}
