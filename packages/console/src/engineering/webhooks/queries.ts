import type { WebhookDelivery } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

export const endpointsKey = ['webhook_endpoints']

export function useEndpoints() {
  const { backline } = useEnvironment()
  return useAll(endpointsKey, () => backline.webhookEndpoints.list({ limit: 100 }))
}

export function useEndpoint(id: string) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: [...endpointsKey, id],
    queryFn: () => backline.webhookEndpoints.retrieve(id),
    refetchInterval: 10_000, // failures do not make events
  })
}

type Health = {
  counts: Record<WebhookDelivery['status'], number>
  isCapped: boolean
  lastSuccess: WebhookDelivery | null
  lastFault: WebhookDelivery | null
}

/** How an endpoint has done: its deliveries by status, and the latest ones. */
export function useEndpointHealth(id: string) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: [...endpointsKey, id, 'health'],
    refetchInterval: 10_000,
    queryFn: async ({ signal }): Promise<Health> => {
      const read = (status: WebhookDelivery['status']) =>
        backline.webhookEndpoints.deliveries.list(id, { status, limit: 10, include: 'total' }, { signal })
      const pages = await Promise.all([read('pending'), read('succeeded'), read('failed')])
      const [pending, succeeded, failed] = pages
      const lastOf = ({ attempts }: WebhookDelivery) => attempts.at(-1)?.at ?? ''
      const faulty = [...pending.data, ...failed.data].filter((each) => lastOf(each) !== '')
      return {
        counts: {
          pending: pending.total ?? 0,
          succeeded: succeeded.total ?? 0,
          failed: failed.total ?? 0,
        },
        isCapped: pages.some((page) => page.total_is_capped),
        lastSuccess: succeeded.data[0] ?? null,
        lastFault: faulty.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)))[0] ?? null,
      }
    },
  })
}
