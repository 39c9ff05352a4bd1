import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import type { Versioned } from '../../data/conditional-write.ts'

/** Puts an object that a write has answered into the cache. What a read had included stays. */
export function useFresh() {
  const cache = useQueryClient()
  return <Item extends Versioned>(queryKey: QueryKey, item: Item): void => {
    cache.setQueryData<Item>(queryKey, (known) =>
      known && known.version > item.version ? known : { ...known, ...item },
    )
  }
}
