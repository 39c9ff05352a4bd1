import { useAll } from '../data/lists.ts'
import type { Resource, ResourceDescriptor } from './descriptor.ts'

const pageSize = 100

/** The objects of a resource, or its archived ones. */
export function useResources<Item extends Resource, Draft extends object>(
  { path, api, hasArchive = true }: ResourceDescriptor<Item, Draft>,
  isArchived = false,
) {
  return useAll<Item>(isArchived ? [path, 'archived'] : [path], () =>
    api.list({ limit: pageSize, ...(hasArchive && { archived: isArchived ? 'true' : 'false' }) }),
  )
}
