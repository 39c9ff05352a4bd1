import type { ViewCount } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useCounts } from '../../data/counts.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'
import { builtInViews } from './built-in.ts'
import { filterOf } from './filter-of.ts'
import { useSavedViews } from './use-view.ts'

/** The number of views that the server counts at once. */
const mostCounted = 50

/**
 * The number of conversations in each view, by its name or id.
 * @param isReady false while something more urgent is read
 */
export function useViewCounts(isReady: boolean): Record<string, ViewCount> {
  const { operator } = useEnvironment()
  const cache = useQueryClient()
  const { data: saved, isError } = useSavedViews()
  const ids = (saved ?? []).filter(({ broken }) => !broken).map(({ id }) => id)
  const counted = ids.slice(0, mostCounted)
  const query = {
    filters: Object.fromEntries(
      builtInViews.map((builtIn) => [builtIn.name, filterOf({ builtIn, saved: null }, operator.id)]),
    ),
    ...(counted.length > 0 ? { ids: counted.join() } : {}),
    limit: builtInViews.length + mostCounted,
  }
  const { data } = useCounts(ids, query, isReady && (saved !== undefined || isError))
  useLiveEvents(({ type }) => {
    if (type.startsWith('view.')) void cache.invalidateQueries({ queryKey: ['views'] })
  })
  return data ?? {}
}
