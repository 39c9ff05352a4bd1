import { type QueryKey, useInfiniteQuery, useQuery } from '@tanstack/react-query'

type PageOf<Item> = { data: Item[]; has_more: boolean; next_cursor: string | null }

/** A list that is read page by page, by `fetchNextPage`. */
export function usePages<Item>(
  queryKey: QueryKey,
  read: (cursor: string | undefined, signal: AbortSignal) => PromiseLike<PageOf<Item>>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
  const items = query.data?.pages.flatMap(({ data }) => data) ?? []
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
