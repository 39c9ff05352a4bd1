import type { OperatorStatus } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from './environment.tsx'

type OwnStatus = OperatorStatus & { etag: string | null }

/** The status of the operator who has signed in. */
export function useOwnStatus() {
  const { backline, operator } = useEnvironment()
  const queryKey = ['operators', 'status', operator.id]
  const { data } = useQuery<OwnStatus>({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data, response } = await backline.operators.status
        .retrieve(operator.id, { signal })
        .withResponse()
      return { ...data, etag: response.headers.get('etag') }
    },
  })
  return { status: data, queryKey }
}
