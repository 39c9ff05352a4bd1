import type { RequestOptions } from '@backline/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Versioned, writeIfUnchanged } from '../../data/conditional-write.ts'
import { useWrite } from '../../data/write.ts'
import { isEqual } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import { useFresh } from './use-fresh.ts'

type FieldEdit<Item extends Versioned, Value> = {
  object: Item
  queryKey: QueryKey
  /** The field in the body of the request, as a JSON Pointer. */
  pointer: string
  valueIn(object: Item): Value
  read(): PromiseLike<Item>
  write(value: Value, options: RequestOptions): PromiseLike<Item>
  /** Called with the object just before and just after a change. */
  onSaved?: ((before: Item, after: Item) => void) | undefined
}

/**
 * Saves one field of an object. If the object has changed since the person began, but not in this field, the change is
 * sent again with the new version. If somebody changed this field, `theirs` is what it is now.
 */
export function useFieldEdit<Item extends Versioned, Value>(edit: FieldEdit<Item, Value>) {
  const { object, queryKey, pointer, valueIn, read, write, onSaved } = edit
  const text = useTexts(texts)
  const fresh = useFresh()
  const cache = useQueryClient()
  const begun = useRef<Item | null>(null)
  const saving = useWrite<{ value: Value; seen: Item }, Item>({
    async run({ value, seen }) {
      let before = seen
      const after = await writeIfUnchanged({
        seen,
        write: (options) => write(value, options),
        async read() {
          const now = await read()
          fresh(queryKey, now)
          before = now
          return now
        },
        isSame: (newer, older) => isEqual(valueIn(newer), valueIn(older)),
      })
      onSaved?.(before, after)
      return after
    },
    refresh: [],
    failed: text.notSaved,
    fields: [pointer.slice(1)],
    onDone(saved) {
      fresh(queryKey, saved)
      begun.current = null
      void cache.invalidateQueries({ queryKey, exact: true })
    },
  })
  const { conflict, variables } = saving
  /** True if it is saved. @param seen the object as the person saw it */
  const save = (value: Value, seen: Item = begun.current ?? object): Promise<boolean> =>
    saving.mutateAsync({ value, seen }).then(
      () => true,
      () => false,
    )
  return {
    /** Notes the object as the person sees it now, for a save that comes later. */
    begin() {
      begun.current = object
    },
    save: (value: Value) => save(value),
    reset() {
      begun.current = null
      if (saving.isError) saving.reset()
    },
    overwrite: async () => conflict !== null && variables !== undefined && save(variables.value, conflict),
    isSaving: saving.isPending,
    fault: saving.faults.at(pointer) ?? null,
    theirs: conflict && { value: valueIn(conflict) },
  }
}
