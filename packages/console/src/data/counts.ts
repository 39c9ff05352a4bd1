import { type Backline, NotModifiedError, type ViewCount } from '@backline/sdk'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEnvironment } from './environment.tsx'
import { useIsLive, useLiveEvents } from './live.tsx'

export type CountsQuery = NonNullable<Parameters<Backline['views']['counts']['count']>[0]>

/** The beginning of the keys of all queries for counts. */
export const countsKey = ['conversations', 'counts']

type Counts = { counts: Record<string, ViewCount>; etag: string | null }

/**
 * Numbers of conversations by the names or ids of what is counted: one request, repeated whenever the server tells that
 * they may have changed.
 */
export function useCounts(key: QueryKey, query: CountsQuery, isEnabled: boolean) {
  const { backline, can } = useEnvironment()
  const cache = useQueryClient()
  const queryKey = [...countsKey, ...key]
  const read = useQuery<Counts>({
    queryKey,
    enabled: isEnabled && can('views:read'),
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }): Promise<Counts> => {
      const known = cache.getQueryData<Counts>(queryKey)
      try {
        const options = { signal, ifNoneMatch: known?.etag ?? undefined }
        const { data, response } = await backline.views.counts.count(query, options).withResponse()
        const counts = data.data.map((each): [string, ViewCount] => [(each.name ?? each.view_id)!, each])
        return { counts: Object.fromEntries(counts), etag: response.headers.get('etag') }
      } catch (error) {
        if (known && error instanceof NotModifiedError) return known
        throw error
      }
    },
  })
  const renew = () => void cache.invalidateQueries({ queryKey })
  useLiveEvents(({ type }) => {
    if (type === 'view_counts' || type === 'view.updated') renew()
  })
  const isLive = useIsLive()
  const wasLive = useRef(isLive)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once for each new connection.
  useEffect(() => {
    // A hint may have been lost with the connection.
    if (isLive && !wasLive.current) renew()
    wasLive.current = isLive
  }, [isLive])
  return { ...read, data: read.data?.counts }
}
