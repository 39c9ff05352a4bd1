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

const statuses = ['pending', 'succeeded', 'failed'] as const

type Health = {
  counts: Record<(typeof statuses)[number], number>
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
      const [pending, succeeded, failed] = await Promise.all(
        statuses.map((status) =>
          backline.webhookEndpoints.deliveries.list(id, { status, limit: 10, include: 'total' }, { signal }),
        ),
      )
      const faulty = [...pending!.data, ...failed!.data].filter(({ attempts }) => attempts.length > 0)
      const lastOf = ({ attempts }: WebhookDelivery) => attempts.at(-1)!.at
      return {
        counts: {
          pending: pending!.total ?? 0,
          succeeded: succeeded!.total ?? 0,
          failed: failed!.total ?? 0,
        },
        isCapped: [pending, succeeded, failed].some((page) => page!.total_is_capped),
        lastSuccess: succeeded!.data[0] ?? null,
        lastFault: faulty.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)))[0] ?? null,
      }
    },
  })
}
