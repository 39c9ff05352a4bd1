import type { OperatorStatus } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { useTexts } from '../../texts/language.tsx'
import type { OperatorStatus as Status } from '../../texts/values.ts'
import { texts } from '../texts.ts'

const ownStatus = (id: string) => ['operators', 'status', id]

export type OwnStatus = OperatorStatus & { etag: string | null }

/** The status of the operator who has signed in. */
export function useOwnStatus() {
  const { backline, operator } = useEnvironment()
  const queryKey = ownStatus(operator.id)
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

/** Sets it by hand. */
export function useSetOwnStatus() {
  const text = useTexts(texts)
  const { backline, operator } = useEnvironment()
  return useWrite({
    run: (status: Status) => backline.operators.status.set(operator.id, { status }),
    refresh: [ownStatus(operator.id)],
    failed: text.status,
  })
}
