import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { isThere } from './removals.ts'

/** A change of what a query has read. */
type Change<Data> = {
  /** Returns what is shown from now on. */
  shown(data: Data): Data
  store(): PromiseLike<unknown>
}

const changesKey = (queryKey: QueryKey): QueryKey => [...queryKey, 'changes']

/** True while a change is not stored. What is read then may be from before it. */
export const isChanging = (cache: QueryClient, queryKey: QueryKey): boolean =>
  cache.isMutating({ mutationKey: changesKey(queryKey) }) > 0

/**
 * Changes what a query has read, such as the order of a list, and shows each change at once. Changes are stored one
 * after the other, because the network may deliver two writes in another order; after the last one it is read again.
 * @param failed the title of the message about a failure
 */
export function useOrderedChanges<Data>(queryKey: QueryKey, failed: string): (change: Change<Data>) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const mutationKey = changesKey(queryKey)
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: ({ store }: Change<Data>) => Promise.resolve(store()),
    onMutate({ shown }) {
      cache.setQueryData<Data>(queryKey, (data) => data && shown(data))
      void cache.cancelQueries({ queryKey }) // what is being read may be from before the change
    },
    onError: (error) => toast.failed({ title: failed, detail: reasonOf(error) }),
    onSettled() {
      const isLast = cache.isMutating({ mutationKey }) === 1
      if (isLast) void cache.invalidateQueries({ queryKey, predicate: isThere }) // not awaited: the change has ended
    },
  })
  return mutate
}
