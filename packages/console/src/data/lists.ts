import { infiniteQueryOptions, type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'
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

/** A list that is read page by page, by `fetchNextPage`. */
export function usePages<Item>(queryKey: QueryKey, read: ReadPage<Item>) {
  const query = useInfiniteQuery(pagesQuery(queryKey, read))
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages])
  return { ...query, items }
}

/** Lists of configuration are short; a longer one is cut here. */
const mostItems = 2_000

/** A short list, whole: departments, tags, macros. */
export function useAll<Item>(queryKey: QueryKey, list: () => AsyncIterable<Item>) {
  return useQuery({
    queryKey,
    queryFn: async () => {
      const all: Item[] = []
      for await (const item of list()) if (all.push(item) >= mostItems) break
      return all
    },
  })
}
