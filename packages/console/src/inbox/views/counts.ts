import type { BrokenFilter } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'
import { builtInViews, queryOf } from './built-in.ts'

export type Count = { count: number | null; more: boolean; broken: BrokenFilter | null }

const countAgainMs = 4_000

/**
 * The number of conversations in each view, by its name or id. Counted again after events, every few seconds.
 * @param isReady false while something more urgent is read
 */
export function useViewCounts(isReady: boolean): Record<string, Count> {
  const { backline, operator, can } = useEnvironment()
  const cache = useQueryClient()
  const key = ['conversations', 'counts']
  const { data } = useQuery({
    queryKey: key,
    enabled: isReady,
    queryFn: async ({ signal }) => {
      const builtIn = builtInViews.map(async (view): Promise<[string, Count]> => {
        const query = { ...queryOf(view, operator.id), limit: 1, include: ['total'] as const }
        const { total = 0, total_is_capped = false } = await backline.conversations.list(query, { signal })
        return [view.name, { count: total, more: total_is_capped, broken: null }]
      })
      const saved = can('views:read')
        ? backline.views.counts
            .count({}, { signal })
            .then(({ data }) =>
              data.map(({ view_id, count, more, broken }): [string, Count] => [
                view_id,
                { count, more, broken },
              ]),
            )
        : []
      return Object.fromEntries((await Promise.all([Promise.all(builtIn), saved])).flat())
    },
  })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useLiveEvents((event) => {
    if (!/^(conversation\.|view\.|message\.created$|read_state$)/.test(event.type)) return
    if (event.type.startsWith('view.')) void cache.invalidateQueries({ queryKey: ['views'] })
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void cache.invalidateQueries({ queryKey: key })
    }, countAgainMs)
  })
  return data ?? {}
}
