import { declareIds, prefixOf, typeId } from '../../../platform/kernel/ids.ts'
import { exampleOfEvent } from '../../../platform/resource/event-example.ts'
import type { EventType } from '../../../platform/resource/resource.ts'
import {
  Actor,
  Enum,
  Id,
  Int,
  Nullable,
  Shape,
  Text,
  Timestamp,
  Type,
} from '../../../platform/resource/schema.ts'
import { defineWire, type Wire } from '../../../platform/resource/wire.ts'
import type { EventRow } from './queries.ts'

const prefix = declareIds('event', 'evt')

export const Event = Shape({
  id: Id('evt'),
  object: Enum(['event']),
  type: Text(3, 100, { description: 'The event type: `<resource>.<past verb>`.' }),
  created_at: Timestamp(),
  environment: Enum(['live', 'test']),
  actor: Actor(),
  request: Shape({
    id: Nullable(Text(1, 64)),
    idempotency_key: Nullable(Text(1, 255)),
  }),
  resource: Shape({ type: Text(1, 50), id: Text(1, 64), version: Int(1, 2147483647) }),
  data: Shape({
    object: Type.Unsafe<unknown>({ type: 'object', description: 'The resource as of the commit.' }),
    previous: Type.Unsafe<unknown>({
      type: 'object',
      description: 'The previous values of the fields that changed.',
    }),
  }),
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
      request: { id: row.request_id, idempotency_key: row.idempotency_key },
      resource: {
        type: row.resource_type,
        id: typeId(prefixOf(row.resource_type), row.resource_id),
        version: row.resource_version,
      },
    }
    return `${JSON.stringify(head).slice(0, -1)},"data":{"object":${row.object},"previous":${row.previous}}}`
  },
}

/** An example event of this type. */
export const exampleEvent = (type: EventType) => exampleOfEvent(eventWire.example as object, type)

export const eventTypeWire = defineWire<EventType>({
  name: 'EventType',
  schema: Shape({
    type: Text(3, 100),
    description: Text(1, 500),
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
