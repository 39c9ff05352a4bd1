import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useToast } from '../../design/Toast.tsx'
import { Faults } from '../../forms/faults.ts'
import { reasonOf } from '../../texts/faults.ts'

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
  /** Names of the fields that show their faults. The first fault of another one is told by the toast. */
  fields: string[]
}) {
  const toast = useToast()
  const cache = useQueryClient()
  const [isPending, setPending] = useState(false)
  const [faults, setFaults] = useState(new Faults())

  async function submit<Result>(run: () => PromiseLike<Result>, onDone: (result: Result) => void) {
    setPending(true)
    setFaults(new Faults())
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
    const found = Faults.of(error)
    setFaults(found)
    const [other] = found.outside(fields)
    if (other) toast.failed({ title: failed, detail: other })
    else if (found.count === 0) toast.failed({ title: failed, detail: reasonOf(error) })
  }

  const faultOf = (pointer: string): string | null => faults.under(pointer) ?? null

  return { isPending, submit, faults, faultOf }
}
