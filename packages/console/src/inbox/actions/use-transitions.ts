import type { Transition } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'

export type Action = Transition['action']

/** The actions that the server offers for a conversation now. */
export function useTransitions(id: string): Set<Action> {
  const { backline, can } = useEnvironment()
  const { data } = useQuery({
    queryKey: ['conversations', id, 'transitions'],
    queryFn: async ({ signal }) => (await backline.conversations.transitions.list(id, {}, { signal })).data,
  })
  return new Set(can('conversations:write') ? data?.map(({ action }) => action) : [])
}
