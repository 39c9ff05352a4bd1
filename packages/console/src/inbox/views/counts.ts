import { type BrokenFilter, NotModifiedError } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useIsLive, useLiveEvents } from '../../data/live.tsx'
import { builtInViews } from './built-in.ts'
import { filterOf } from './filter-of.ts'
import { useSavedViews } from './use-view.ts'

export type Count = { count: number | null; more: boolean; broken: BrokenFilter | null }
type Counts = { counts: Record<string, Count>; etag: string | null }

/** The number of views that the server counts at once. */
const mostCounted = 50

export const countsKey = ['conversations', 'counts']

/**
 * The number of conversations in each view, by its name or id: one request, repeated whenever the server tells that it
 * may have changed.
 * @param isReady false while something more urgent is read
 */
export function useViewCounts(isReady: boolean): Record<string, Count> {
  const { backline, operator, can } = useEnvironment()
  const cache = useQueryClient()
  const { data: saved, isError } = useSavedViews()
  const ids = (saved ?? []).filter(({ broken }) => !broken).map(({ id }) => id)
  const queryKey = [...countsKey, ...ids]
  const { data } = useQuery<Counts>({
    queryKey,
    enabled: isReady && can('views:read') && (saved !== undefined || isError),
    placeholderData: (previous) => previous,
    queryFn: async ({ signal }): Promise<Counts> => {
      const known = cache.getQueryData<Counts>(queryKey)
      const counted = ids.slice(0, mostCounted)
      const query = {
        filters: Object.fromEntries(
          builtInViews.map((builtIn) => [builtIn.name, filterOf({ builtIn, saved: null }, operator.id)]),
        ),
        ...(counted.length > 0 ? { ids: counted.join() } : {}),
        limit: builtInViews.length + mostCounted,
      }
      try {
        const options = { signal, ifNoneMatch: known?.etag ?? undefined }
        const { data, response } = await backline.views.counts.count(query, options).withResponse()
        const counts = data.data.map(({ name, view_id, count, more, broken }): [string, Count] => [
          (name ?? view_id)!,
          { count, more, broken },
        ])
        return { counts: Object.fromEntries(counts), etag: response.headers.get('etag') }
      } catch (error) {
        if (known && error instanceof NotModifiedError) return known
        throw error
      }
    },
  })
  useLiveEvents(({ type }) => {
    if (type.startsWith('view.')) void cache.invalidateQueries({ queryKey: ['views'] })
    if (type === 'view_counts' || type === 'view.updated')
      void cache.invalidateQueries({ queryKey: countsKey })
  })
  const isLive = useIsLive()
  const wasLive = useRef(isLive)
  useEffect(() => {
    // A hint may have been lost with the connection.
    if (isLive && !wasLive.current) void cache.invalidateQueries({ queryKey: countsKey })
    wasLive.current = isLive
  }, [isLive, cache])
  return data?.counts ?? {}
}
