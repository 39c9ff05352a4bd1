import { NotFoundError, type WebhookDelivery } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { Instant, When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Code, Copied, Json } from '../../design/Code.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Quiet, Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { Part } from '../shared/Detail.tsx'
import { DeliveryStatus, hasSucceeded, useResultOf } from './DeliveryStatus.tsx'
import { endpointsKey, useEndpoint } from './queries.ts'
import { texts } from './texts.ts'

/** A delivery with its attempts, at the side of the page of its endpoint. */
export function DeliveryPanel({ endpointId, id }: { endpointId: string; id: string | undefined }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const search = useSearch()
  const key = ['webhook_deliveries', id]
  const query = useQuery({
    queryKey: key,
    queryFn: id === undefined ? skipToken : () => backline.webhookDeliveries.retrieve(id),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? 2_000 : false),
  })
  const retry = useWrite({
    run: (delivery: string) => backline.webhookDeliveries.retry(delivery),
    refresh: [key, [...endpointsKey, endpointId]],
    failed: text.retryFailed,
    onDone: () => toast.done({ title: text.retried }),
  })
  const close = () => navigate(`/webhooks/${endpointId}${search && `?${search}`}`)
  return (
    <Dialog
      isOpen={id !== undefined}
      onClose={close}
      title={query.data?.event_type ?? text.delivery}
      form="panel"
      actions={
        can('webhook_endpoints:write') && (
          <Button
            icon="refresh"
            disabled={!query.data || retry.isPending}
            onClick={() => id !== undefined && retry.mutate(id)}
          >
            {text.retry}
          </Button>
        )
      }
    >
      {id !== undefined && (
        <Loaded query={query}>{(delivery) => <Content key={delivery.id} delivery={delivery} />}</Loaded>
      )}
    </Dialog>
  )
}

function Content({ delivery }: { delivery: WebhookDelivery }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const resultOf = useResultOf()
  const [isRequestShown, setRequestShown] = useState(false)
  return (
    <>
      <DescriptionList
        items={[
          [text.status, <DeliveryStatus key="status" delivery={delivery} />],
          [text.deliveryId, <Copied key="id" value={delivery.id} what={text.deliveryId} />],
          [text.event, <Copied key="event" value={delivery.event_id} what={text.event} />],
          [text.created, <Instant toSecond key="created" at={delivery.created_at} />],
          ...(delivery.next_attempt_at === null
            ? []
            : [[text.next, <When key="next" at={delivery.next_attempt_at} />] as [string, React.ReactNode]]),
        ]}
      />
      <Part title={text.attempts}>
        {delivery.attempts.length === 0 && <p>{text.noAttempts}</p>}
        <Stack as="ol" gap={3} reversed>
          {delivery.attempts.toReversed().map((attempt, i) => (
            <Stack as="li" key={attempt.at}>
              <Row wraps>
                <strong>{text.attempt(delivery.attempts.length - i)}</strong>
                <Badge tone={hasSucceeded(attempt) ? 'good' : 'bad'}>{resultOf(attempt)}</Badge>
                <Quiet>{text.took(number(attempt.duration_ms))}</Quiet>
                <Quiet>
                  <Instant toSecond at={attempt.at} />
                </Quiet>
              </Row>
              {attempt.response_status !== null &&
                (attempt.response_body ? (
                  <Code label={text.response} value={attempt.response_body} />
                ) : (
                  <Quiet as="p">{text.emptyBody}</Quiet>
                ))}
            </Stack>
          ))}
        </Stack>
      </Part>
      <Part title={text.request}>
        {isRequestShown ? (
          <RequestBody delivery={delivery} />
        ) : (
          <div>
            <Button onClick={() => setRequestShown(true)}>{text.showRequest}</Button>
          </div>
        )}
      </Part>
    </>
  )
}

/** The body of the request, made again from the event: the server does not store what it has sent. */
function RequestBody({ delivery }: { delivery: WebhookDelivery }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const endpoint = useEndpoint(delivery.endpoint_id)
  const event = useQuery({
    queryKey: ['events', delivery.event_id],
    queryFn: () => backline.events.retrieve(delivery.event_id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (event.error instanceof NotFoundError) return <Quiet as="p">{text.requestGone}</Quiet>
  return (
    <Loaded query={event}>
      {({ data, ...envelope }) => (
        <>
          <Quiet as="p">
            {text.requestNote} <Link href={`/events/${delivery.event_id}`}>{text.openEvent}</Link>
          </Quiet>
          <Code
            label={text.request}
            value={[
              `POST ${endpoint.data?.url ?? ''}`,
              'content-type: application/json',
              `webhook-id: ${delivery.event_id}`,
              ...Object.keys(endpoint.data?.headers ?? {}).map((name) => `${name}: ***`),
            ].join('\n')}
          />
          <Json
            label={text.request}
            value={{
              ...envelope,
              ...(endpoint.data?.payload !== 'thin' && { data }),
              timestamp: envelope.created_at,
            }}
          />
        </>
      )}
    </Loaded>
  )
}
