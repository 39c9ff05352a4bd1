import type { Event } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { DeliveryStatus } from '../webhooks/DeliveryStatus.tsx'
import { useEndpoints } from '../webhooks/queries.ts'
import { texts } from './texts.ts'

/** The deliveries of an event. The API lists deliveries by endpoint and type, so the latest of each are searched. */
export function EventDeliveries({ event }: { event: Event }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const endpoints = useEndpoints()
  const ids = endpoints.data?.map(({ id }) => id)
  const found = useQuery({
    queryKey: ['webhook_deliveries', 'of', event.id, ids],
    enabled: ids !== undefined,
    queryFn: async ({ signal }) => {
      const query = { event_type: event.type, limit: 100 }
      const pages = await Promise.all(
        ids!.map((id) => backline.webhookEndpoints.deliveries.list(id, query, { signal })),
      )
      return {
        deliveries: pages.flatMap(({ data }) => data.filter(({ event_id: of }) => of === event.id)),
        isCut: pages.some(({ has_more: hasMore }) => hasMore),
      }
    },
  })
  if (endpoints.isError || found.isError) return <ErrorState error={endpoints.error ?? found.error} />
  if (!found.data) return <Loading lines={1} />
  const { deliveries, isCut } = found.data
  if (deliveries.length === 0) return <p>{isCut ? text.deliveriesCut : text.noDeliveries}</p>
  return (
    <Stack as="ul">
      {deliveries.map((delivery) => (
        <Row as="li" key={delivery.id}>
          <DeliveryStatus delivery={delivery} />
          <Link href={`/webhooks/${delivery.endpoint_id}/deliveries/${delivery.id}`}>
            {endpoints.data?.find(({ id }) => id === delivery.endpoint_id)?.url}
          </Link>
        </Row>
      ))}
    </Stack>
  )
}
