import type { Job } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { usePages } from '../data/lists.ts'
import { useLiveEvents } from '../data/live.tsx'

const pageSize = 25

export type JobFilters = { type?: Job['type'] | undefined; status?: Job['status'] | undefined }

/** The jobs of all operators and keys, newest first. Those that start and end change the list at once. */
export function useJobList({ type, status }: JobFilters) {
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const queryKey = ['jobs', 'list', type, status]
  useLiveEvents((event) => {
    if (event.type.startsWith('job.')) void cache.invalidateQueries({ queryKey })
  })
  return usePages<Job>(queryKey, (cursor, signal) =>
    backline.jobs.list(
      { limit: pageSize, cursor, ...(type && { type }), ...(status && { status }) },
      { signal },
    ),
  )
}
