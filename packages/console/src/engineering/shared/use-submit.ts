import { ApiError } from '@backline/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type Fault = { pointer: string; detail: string }

/**
 * Sends a form. Its result goes to the caller and to no cache, because it may have a secret. Faults of fields stay with
 * the form; other failures are told by a toast.
 */
export function useSubmit({
  failed,
  refresh,
  fields,
}: {
  failed: string
  refresh: QueryKey[]
  /** Pointers of the fields that show their faults. The first fault of another one is told by the toast. */
  fields: string[]
}) {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [faults, setFaults] = useState<Fault[]>([])

  async function submit<Result>(run: () => PromiseLike<Result>, onDone: (result: Result) => void) {
    setPending(true)
    setFaults([])
    try {
      onDone(await run())
    } catch (error) {
      fail(error)
    } finally {
      setPending(false)
      for (const queryKey of refresh) void cache.invalidateQueries({ queryKey })
    }
  }

  function fail(error: unknown): void {
    const found = (error instanceof ApiError ? error.errors : []).map(({ pointer = '', detail }) => ({
      pointer,
      detail,
    }))
    setFaults(found)
    const other = found.find(({ pointer }) => !fields.some((field) => isBelow(pointer, field)))
    if (other) toast.failed({ title: failed, detail: `${other.pointer.slice(1)} ${other.detail}`.trim() })
    else if (found.length === 0) toast.failed({ title: failed, detail: reasonOf(error) })
  }

  /** The faults of a field and of what is inside it, in sentences. Items of a list are counted from 1. */
  const faultOf = (field: string): string | null =>
    faults
      .filter(({ pointer }) => isBelow(pointer, field))
      .map(({ pointer, detail }) => {
        const inside = pointer.slice(field.length + 1)
        if (inside === '') return detail
        return /^\d+$/.test(inside) ? `${text.item(Number(inside) + 1)} ${detail}` : `${inside}: ${detail}`
      })
      .join(' ') || null

  return { isPending, submit, faultOf }
}

const isBelow = (pointer: string, field: string): boolean =>
  pointer === field || pointer.startsWith(`${field}/`)
