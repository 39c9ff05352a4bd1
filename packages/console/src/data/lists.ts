import {
  infiniteQueryOptions,
  partialMatchKey,
  type QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { useMemo } from 'react'

type PageOf<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

type ReadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => PromiseLike<PageOf<Item>>

export const pagesQuery = <Item>(queryKey: QueryKey, read: ReadPage<Item>) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })

/**
 * A list that is read page by page, by `fetchNextPage`.
 * @param searched begins the keys of one list, whatever is searched in it: its rows stay, and keep the focus, until
 *   those of the next search are there
 */
export function usePages<Item>(queryKey: QueryKey, read: ReadPage<Item>, searched?: QueryKey) {
  const query = useInfiniteQuery({
    ...pagesQuery(queryKey, read),
    placeholderData: (before, query) =>
      searched && query && partialMatchKey(query.queryKey, searched) && before?.pages[0]?.data.length
        ? before
        : undefined,
  })
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages])
  return { ...query, items }
}

/** The pages of a list with some of its items changed. The same object if none has changed. */
export function changeItems<Item, List extends { pages: { data: Item[] }[] }>(
  list: List,
  change: (item: Item) => Item,
): List {
  let hasChanged = false
  const pages = list.pages.map((page) => {
    const data = page.data.map(change)
    const isSame = data.every((item, i) => item === page.data[i])
    if (isSame) return page
    hasChanged = true
    return { ...page, data }
  })
  return hasChanged ? { ...list, pages } : list
}

/** Lists of configuration are short; a longer one is cut here. */
const mostItems = 2_000

/** A short list, whole: departments, tags, macros. */
export function useAll<Item>(queryKey: QueryKey, list: () => AsyncIterable<Item>, isEnabled = true) {
  return useQuery({
    queryKey,
    enabled: isEnabled,
    queryFn: async () => {
      const all: Item[] = []
      for await (const item of list()) if (all.push(item) >= mostItems) break
      return all
    },
  })
}

/**
 * Changes what a query has read. If it is being read, the change is made again after the answer, which can be older.
 * The rest is as old as it was: a stale query stays stale.
 * @param change gives the same when it is made twice
 */
export function changeRead<Data>(
  cache: QueryClient,
  queryKey: QueryKey,
  change: (known: Data | undefined) => Data | undefined,
): void {
  let awaited: Promise<unknown> | undefined
  const make = () => {
    const query = cache.getQueryCache().find<Data>({ queryKey })
    if (!query) return
    const { data, dataUpdatedAt: updatedAt, isInvalidated } = query.state
    const changed = change(data)
    if (changed !== data) {
      cache.setQueryData<Data>(queryKey, changed, { updatedAt })
      if (isInvalidated) query.invalidate()
    }
    const reading = query.promise
    if (!reading || reading === awaited) return
    awaited = reading
    void reading.then(make, make)
  }
  make()
}
