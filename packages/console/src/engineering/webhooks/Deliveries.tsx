import type { WebhookDelivery } from '@backline/sdk'
import { useEffect } from 'react'
import { useSearch } from 'wouter'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { Button } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Truncated } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Section } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useEventTypes } from '../shared/event-types.ts'
import styles from './Deliveries.module.css'
import { DeliveryStatus, useResultOf } from './DeliveryStatus.tsx'
import { endpointsKey, useEndpointHealth } from './queries.ts'
import { texts } from './texts.ts'

const statuses = ['pending', 'succeeded', 'failed'] as const
const everyMs = 5_000

export function Deliveries({ endpointId }: { endpointId: string }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const search = useSearch()
  const [values, set] = useParams(['status', 'type'])
  const types = useEventTypes()
  const { data: health } = useEndpointHealth(endpointId)
  const resultOf = useResultOf()
  const status = statuses.find((each) => each === values.status)
  const type = values.type === '' ? undefined : (values.type as WebhookDelivery['event_type'])
  const query = usePages([...endpointsKey, endpointId, 'deliveries', { status, type }], (cursor, signal) =>
    backline.webhookEndpoints.deliveries.list(
      endpointId,
      { limit: 50, cursor, status, event_type: type as never },
      { signal },
    ),
  )
  // Deliveries make no events. Only the first page is read again by itself.
  const isFirstPage = query.data?.pages.length === 1
  const { refetch } = query
  useEffect(() => {
    if (!isFirstPage) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), everyMs)
    return () => clearInterval(timer)
  }, [isFirstPage, refetch])
  const words = { pending: text.pending, succeeded: text.succeeded, failed: text.undelivered }
  const labelOf = (each: (typeof statuses)[number]) =>
    health ? `${words[each]} (${number(health.counts[each])})` : words[each]
  return (
    <Section
      title={text.deliveries}
      actions={
        <>
          <Select
            label={text.status}
            hideLabel
            value={values.status}
            onChange={(event) => set({ status: event.target.value })}
            empty={text.all}
            options={statuses.map((value) => ({ value, label: labelOf(value) }))}
          />
          <Select
            label={text.type}
            hideLabel
            className={styles.types}
            value={values.type}
            onChange={(event) => set({ type: event.target.value })}
            empty={text.events}
            options={(types.data ?? []).map(({ type: value }) => ({ value, label: value }))}
          />
          <Button icon="refresh" onClick={() => void refetch()}>
            {text.refresh}
          </Button>
        </>
      }
    >
      <List
        query={query}
        empty={
          <EmptyState icon="send" title={text.noDeliveries}>
            <p>{text.noDeliveriesHint}</p>
          </EmptyState>
        }
      >
        <Table<WebhookDelivery>
          caption={text.deliveries}
          rows={query.items}
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/webhooks/${endpointId}/deliveries/${id}${search && `?${search}`}`}
          columns={[
            { name: 'type', label: text.event, cell: ({ event_type: each }) => <code>{each}</code> },
            {
              name: 'status',
              label: text.status,
              cell: (delivery) => <DeliveryStatus delivery={delivery} />,
            },
            {
              name: 'response',
              label: text.response,
              cell: ({ attempts }) => (
                <Truncated lines={2}>
                  {attempts.length > 0 ? resultOf(attempts.at(-1)!) : text.noAttempts}
                </Truncated>
              ),
            },
            {
              name: 'attempts',
              label: text.attempts,
              align: 'end',
              cell: ({ attempts }) => number(attempts.length),
            },
            {
              name: 'next',
              label: text.next,
              cell: ({ next_attempt_at: at }) => (at === null ? '—' : <When at={at} />),
            },
            { name: 'time', label: text.created, cell: ({ created_at: at }) => <When at={at} /> },
          ]}
        />
      </List>
    </Section>
  )
}
