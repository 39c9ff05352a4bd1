import { useAll } from '../../data/lists.ts'
import type { Kind, Resource } from './kind.ts'

const pageSize = 100

/** The objects of a kind, or its archived ones. */
export function useResources<Item extends Resource, Draft extends object>(
  { path, api }: Kind<Item, Draft>,
  isArchived = false,
) {
  return useAll<Item>(isArchived ? [path, 'archived'] : [path], () =>
    api.list({ limit: pageSize, archived: isArchived ? 'true' : 'false' }),
  )
}
