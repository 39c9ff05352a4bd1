import type { Job } from '@backline/sdk'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../data/environment.tsx'
import { type LiveEvent, useLiveEvents } from '../data/live.tsx'

const askAgainMs = 700

export const isEnded = (job: Job): boolean => job.ended_at !== null

const jobOf = (event: LiveEvent): Job | null =>
  'resource' in event && event.resource.type === 'job' ? (event.data.object as Job) : null

/** Jobs with their progress: its steps are no events, so that it is asked for while they run. */
export function useJobs(ids: string[]): (Job | undefined)[] {
  const queryOf = useJobQuery()
  useJobEvents()
  return useQueries({ queries: ids.map(queryOf) }).map(({ data }) => data)
}

/** @param known the job as a list has it */
export function useJob(id: string, known?: Job) {
  const queryOf = useJobQuery()
  useJobEvents()
  return useQuery({ ...queryOf(id), ...(known && { initialData: known }) })
}

function useJobQuery() {
  const { backline } = useEnvironment()
  return (id: string) => ({
    queryKey: ['jobs', id],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Job> =>
      backline.jobs.retrieve(id, { signal }),
    refetchInterval: ({ state }: { state: { data: Job | undefined; status: string } }) =>
      state.status === 'error' || (state.data && isEnded(state.data)) ? (false as const) : askAgainMs,
  })
}

/** Brings jobs up to date by their events. */
function useJobEvents(): void {
  const cache = useQueryClient()
  useLiveEvents((event) => {
    const job = jobOf(event)
    if (job)
      cache.setQueryData<Job>(['jobs', job.id], (known) =>
        known && known.version < job.version ? job : known,
      )
  })
}
