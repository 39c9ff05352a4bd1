import { useQuery } from '@tanstack/react-query'
import { useOperatorNames } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'

const nobody = '–'

/** Names who started a job, as its first event tells. */
export function StartedBy({ id }: { id: string }) {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const nameOf = useOperatorNames()
  const { data: actor } = useQuery({
    queryKey: ['jobs', id, 'actor'],
    enabled: can('events:read'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const created = { resource_id: id, types: 'job.created', limit: 1 }
      const { data } = await backline.events.list(created, { signal })
      return data[0]?.actor ?? null
    },
  })
  if (!actor) return nobody
  const operator = nameOf(actor.operator_id ?? (actor.type === 'operator' ? actor.id : null))
  if (operator) return operator
  return actor.type === 'api_key' ? text.apiKey : text.server
}
