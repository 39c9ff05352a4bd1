import { typeId } from '../../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  List,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../../../platform/resource/schema.ts'
import { defineWire } from '../../../../platform/resource/wire.ts'
import type { Delivery } from './queries.ts'

/** A delivery keeps its newest attempts, so that repeated manual retries do not grow it without limit. */
export const maxKeptAttempts = 100

const statuses = ['pending', 'succeeded', 'failed'] as const

export const deliveryExample = {
  id: 'whd_01kah1wc5pe2w8r4m7x9k3n6tb',
  object: 'webhook_delivery',
  endpoint_id: 'whe_01kah1vgm0e1tbm5ye8n2m9q7c',
  event_id: 'evt_01kah1wc5pe2w8r4m7x9k3n6ta',
  event_type: 'conversation.resolved',
  status: 'pending',
  next_attempt_at: '2026-11-20T09:30:05.730Z',
  attempts: [
    {
      at: '2026-11-20T09:30:00.120Z',
      response_status: 503,
      response_body: 'down for maintenance',
      error: null,
      duration_ms: 84,
    },
  ],
  created_at: '2026-11-20T09:30:00.100Z',
  updated_at: '2026-11-20T09:30:00.204Z',
  version: 2,
}

export const deliveryWire = defineWire<Delivery>({
  name: 'WebhookDelivery',
  schema: Shape({
    id: Id('whd'),
    object: Enum(['webhook_delivery']),
    endpoint_id: Id('whe', { description: 'The webhook endpoint.' }),
    event_id: Id('evt', { description: 'The event; also the `webhook-id` of each attempt.' }),
    event_type: Text(3, 100, { description: 'The type of the event.' }),
    status: Enum(statuses, {
      description:
        '`pending` until an attempt succeeds; `failed` if no further automatic attempt will be made.',
    }),
    next_attempt_at: Nullable(Timestamp(), {
      description:
        'The earliest time of the next attempt, which is made only while the endpoint is enabled; null unless `pending`.',
    }),
    attempts: List(
      Shape({
        at: Timestamp({ description: 'The start of the attempt.' }),
        response_status: Nullable(Int(100, 999), {
          description: 'The HTTP status of the response; null if there was none. 2xx is success.',
        }),
        response_body: Nullable(Text(0, 8_192), {
          description:
            'The beginning of the response body; empty once personal data in the event was erased.',
        }),
        error: Nullable(Text(1, 500), { description: 'The reason for which no response was received.' }),
        duration_ms: Int(0, 2147483647, { description: 'Duration of the attempt in milliseconds.' }),
      }),
      maxKeptAttempts,
      { description: 'The latest 100 attempts, oldest first.' },
    ),
    ...revision,
  }),
  example: deliveryExample,
  present: ({ id, endpoint_id, event_id, event_type, status, next_attempt_at, attempts, ...row }) => ({
    id: typeId('whd', id),
    object: 'webhook_delivery',
    endpoint_id: typeId('whe', endpoint_id),
    event_id: typeId('evt', event_id),
    event_type,
    status,
    next_attempt_at,
    attempts,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

/** @param types names of event types */
export const deliveryFilters = (types: string[]) =>
  Shape({
    status: Optional(Enum(statuses, { description: 'Return only deliveries with this status.' })),
    event_type: Optional(
      Enum(types as [string, ...string[]], { description: 'Return only deliveries of events of this type.' }),
    ),
  })

/** @param types names of event types */
export const testRequest = (types: string[]) =>
  Shape({
    event_type: Enum(types as [string, ...string[]], {
      description: 'The event type to send an example of.',
    }),
  })
