import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useToast } from '../design/Toast.tsx'
import { reasonOf } from '../texts/faults.ts'
import { isThere } from './removals.ts'

/** A move within a list. */
type Move<Item> = {
  /** Returns the list after the move. */
  shown(items: Item[]): Item[]
  store(): PromiseLike<unknown>
}

const movesKey = (queryKey: QueryKey): QueryKey => [...queryKey, 'moves']

/** True while a move in the list is not stored. What is read then may be from before the move. */
export const isMoving = (cache: QueryClient, queryKey: QueryKey): boolean =>
  cache.isMutating({ mutationKey: movesKey(queryKey) }) > 0

/**
 * Moves items of a list. The list shows each move at once. Moves are stored one after the other, because the network
 * may deliver two writes in another order; after the last one the list is read again.
 * @param failed the title of the message about a failure
 */
export function useMoves<Item>(queryKey: QueryKey, failed: string): (move: Move<Item>) => void {
  const cache = useQueryClient()
  const toast = useToast()
  const mutationKey = movesKey(queryKey)
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join('/') },
    mutationFn: ({ store }: Move<Item>) => Promise.resolve(store()),
    onMutate({ shown }) {
      cache.setQueryData<Item[]>(queryKey, (items) => items && shown(items))
      void cache.cancelQueries({ queryKey }) // what is being read may be from before the move
    },
    onError: (error) => toast.failed({ title: failed, detail: reasonOf(error) }),
    onSettled() {
      const isLast = cache.isMutating({ mutationKey }) === 1
      if (isLast) void cache.invalidateQueries({ queryKey, predicate: isThere }) // not awaited: the move has ended
    },
  })
  return mutate
}
