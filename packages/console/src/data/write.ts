import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { ChangedMeanwhileError } from './conditional-write.ts'
import { Faults } from './faults.ts'

type WriteOptions<Input, Result> = {
  run(input: Input): PromiseLike<Result>
  /** The queries that are read again afterwards, whether the write succeeded or failed. */
  refresh: QueryKey[]
  /** The title of the message about a failure. Without it, the caller shows `error`. */
  failed?: string
  /** The fields that show their `faults`. If they show all of them, there is no message. */
  fields?: string[]
  faultsOf?(error: unknown): Faults
  onDone?(result: Result, input: Input): void
  onConflict?(newer: Result, input: Input): void
}

/**
 * A write by a person: failures are told, and what it may have changed is read again. The caller shows a `conflict` of
 * `writeIfUnchanged`. The result goes to `onDone` and to no cache, because it may have a secret.
 */
export function useWrite<Input = void, Result = unknown>({
  run,
  refresh,
  failed,
  fields = [],
  faultsOf = Faults.of,
  onDone,
  onConflict,
}: WriteOptions<Input, Result>) {
  const cache = useQueryClient()
  const toast = useToast()
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      const result = await run(input)
      onDone?.(result, input)
    },
    onError(error, input) {
      if (error instanceof ChangedMeanwhileError) return onConflict?.(error.newer as Result, input)
      if (!failed || faultsOf(error).areAllIn(fields)) return
      toast.failed({ title: failed, detail: reasonOf(error) })
    },
    onSettled: () => Promise.all(refresh.map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
  const { error } = mutation
  const conflict = error instanceof ChangedMeanwhileError ? (error.newer as Result) : null
  return { ...mutation, faults: faultsOf(error), conflict }
}
