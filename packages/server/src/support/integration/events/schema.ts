import { declareIds, prefixOf, resourceTypeOf, typeId } from '../../../platform/kernel/ids.ts'
import { type EventType, exampleOfEvent } from '../../../platform/resource/event-type.ts'
import {
  Actor,
  Enum,
  Id,
  Int,
  Nullable,
  Optional,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire, type Wire } from '../../../platform/resource/wire.ts'
import { sentKey } from '../../../platform/unit-of-work/idempotency-space.ts'
import type { EventRow } from './queries.ts'

const prefix = declareIds('event', 'evt')

export const Event = Shape({
  id: Id('evt', { description: 'The id, also the `webhook-id` of deliveries: use it to detect duplicates.' }),
  object: Enum(['event']),
  type: Text(3, 100, { description: 'The event type: `<resource>.<past verb>`.' }),
  created_at: Timestamp({ description: 'The time of the change.' }),
  environment: Enum(['live', 'test'], { description: 'The environment in which it happened.' }),
  actor: Actor({ description: 'Who made the change.' }),
  request: Shape(
    {
      id: Nullable(Text(1, 64), { description: 'Its `Request-Id`.' }),
      idempotency_key: Nullable(Text(1, 255), { description: 'Its `Idempotency-Key`.' }),
    },
    { description: 'The request that made the change; null values for work of the server itself.' },
  ),
  resource: Shape(
    {
      type: Text(1, 50, { description: 'Its type, the `object` of the resource.' }),
      id: Text(1, 64, { description: 'Its id.' }),
      version: Int(1, 2147483647, {
        description: 'Its version after the change: of two events of a resource, the higher one is later.',
      }),
    },
    { description: 'The resource that changed.' },
  ),
  data: Shape(
    {
      object: Type.Unsafe<unknown>({ type: 'object', description: 'The resource as of the commit.' }),
      previous: Type.Unsafe<unknown>({
        type: 'object',
        description: 'The previous values of the fields that changed; empty for a new or deleted resource.',
      }),
      conversation: Optional(
        Type.Unsafe<unknown>({
          type: 'object',
          description:
            'Of `message.created`: the fields of the conversation that the message changed, with their new values, and the `id` of the conversation. Absent if the conversation was created with the message.',
        }),
      ),
    },
    { description: 'The resource and what changed.' },
  ),
})

export const eventWire: Wire<EventRow> = {
  name: 'Event',
  schema: Event,
  example: {
    id: 'evt_01jd3v7wh2e7ktvq4n1m8r5z9c',
    object: 'event',
    type: 'conversation.resolved',
    created_at: '2026-11-20T09:30:00.000Z',
    environment: 'live',
    actor: { type: 'api_key', id: 'key_01jd3v7wh2e7ktvq4n1m8r5z9a', operator_id: null },
    request: {
      id: 'req_01jd3v7wh2e7ktvq4n1m8r5z9b',
      idempotency_key: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    },
    resource: { type: 'conversation', id: 'conv_01jd3v7wh2e7ktvq4n1m8r5z9d', version: 3 },
    data: {
      object: { id: 'conv_01jd3v7wh2e7ktvq4n1m8r5z9d', status: 'resolved' },
      previous: { status: 'open' },
    },
  },
  /** The stored texts of the snapshots are inserted byte for byte. */
  json: (row: EventRow): string => {
    const head = {
      id: typeId(prefix, row.id),
      object: 'event',
      type: row.type,
      created_at: row.created_at,
      environment: row.environment,
      actor: { type: row.actor_type, id: row.actor_id, operator_id: row.operator_id },
      request: { id: row.request_id, idempotency_key: row.idempotency_key && sentKey(row.idempotency_key) },
      resource: {
        type: resourceTypeOf(row.resource_type),
        id: typeId(prefixOf(row.resource_type), row.resource_id),
        version: row.resource_version,
      },
    }
    const related = row.related === null ? '' : `,${row.related.slice(1, -1)}`
    return `${JSON.stringify(head).slice(0, -1)},"data":{"object":${row.object},"previous":${row.previous}${related}}}`
  },
}

/** An example event of this type. */
export const exampleEvent = (type: EventType) => exampleOfEvent(eventWire.example as object, type)

export const eventTypeWire = defineWire<EventType>({
  name: 'EventType',
  schema: Shape({
    type: Text(3, 100, { description: 'The name of the type, for `types` and `enabled_events`.' }),
    description: Text(1, 500, { description: 'When events of the type occur.' }),
    example: Type.Unsafe<unknown>({
      type: 'object',
      additionalProperties: true,
      description: 'An event of this type.',
    }),
  }),
  example: {
    type: 'conversation.resolved',
    description: 'A conversation was resolved.',
    example: eventWire.example,
  },
  present: (row) => ({ type: row.type, description: row.description, example: exampleEvent(row) }),
})
