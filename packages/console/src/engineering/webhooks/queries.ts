import type { WebhookDelivery } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { type Attempt, hasSucceeded } from './DeliveryStatus.tsx'

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

/** So many deliveries of each status are looked at. */
export const mostRead = 50

type Health = {
  counts: Record<WebhookDelivery['status'], number>
  isCapped: boolean
  lastSuccess: WebhookDelivery | null
  /** Among the latest deliveries of each status. One that arrived in the end may have failed before. */
  lastFailure: { delivery: WebhookDelivery; attempt: Attempt } | null
}

/** How an endpoint has done: its deliveries by status, and the latest ones. */
export function useEndpointHealth(id: string) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: [...endpointsKey, id, 'health'],
    refetchInterval: 10_000,
    queryFn: async ({ signal }): Promise<Health> => {
      const read = (status: WebhookDelivery['status']) =>
        backline.webhookEndpoints.deliveries.list(
          id,
          { status, limit: mostRead, include: 'total' },
          { signal },
        )
      const pages = await Promise.all([read('pending'), read('succeeded'), read('failed')])
      const [pending, succeeded, failed] = pages
      const failures = pages
        .flatMap(({ data }) => data)
        .flatMap((delivery) => {
          const attempt = delivery.attempts.findLast((each) => !hasSucceeded(each))
          return attempt ? [{ delivery, attempt }] : []
        })
      return {
        counts: {
          pending: pending.total ?? 0,
          succeeded: succeeded.total ?? 0,
          failed: failed.total ?? 0,
        },
        isCapped: pages.some((page) => page.total_is_capped),
        lastSuccess: succeeded.data[0] ?? null,
        lastFailure: failures.toSorted((a, b) => b.attempt.at.localeCompare(a.attempt.at))[0] ?? null,
      }
    },
  })
}
