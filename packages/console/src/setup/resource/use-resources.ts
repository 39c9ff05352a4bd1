import { useQueryClient } from '@tanstack/react-query'
import { useAll } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import type { Kind, Resource } from './kind.ts'

const pageSize = 100

/** The objects of a kind, or its archived ones, renewed by events. */
export function useResources<Item extends Resource, Draft extends object>(
  { path, event, api }: Kind<Item, Draft>,
  isArchived = false,
) {
  const cache = useQueryClient()
  useLiveEvents(({ type }) => {
    if (type.startsWith(`${event}.`)) void cache.invalidateQueries({ queryKey: [path] })
  })
  return useAll<Item>(isArchived ? [path, 'archived'] : [path], () =>
    api.list({ limit: pageSize, archived: isArchived ? 'true' : 'false' }),
  )
}
