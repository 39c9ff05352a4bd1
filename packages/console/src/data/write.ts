import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'

type WriteOptions<Input, Result> = {
  run(input: Input): PromiseLike<Result>
  /** Read again afterwards, whether the write succeeded or failed. */
  refresh: QueryKey[]
  /** The title of the message about a failure. Without it, the caller shows `error`. */
  failed?: string
  onDone?(result: Result, input: Input): void
}

/** A write by a person: failures are told, and what it may have changed is read again. */
export function useWrite<Input = void, Result = unknown>({
  run,
  refresh,
  failed,
  onDone,
}: WriteOptions<Input, Result>) {
  const cache = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: async (input: Input) => run(input),
    onSuccess: (result, input) => onDone?.(result, input),
    onError: (error) => {
      if (failed) toast.failed({ title: failed, detail: reasonOf(error) })
    },
    onSettled: () => Promise.all(refresh.map((queryKey) => cache.invalidateQueries({ queryKey }))),
  })
}
