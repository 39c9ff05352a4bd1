import { type EventType, exampleOfEvent } from '../../../platform/resource/event-type.ts'
import type { Wire } from '../../../platform/resource/wire.ts'
import { type Json, ref } from './components.ts'
import { pascal } from './refusals.ts'

/** `conversation.created` becomes `ConversationCreatedEvent`. */
const schemaNameOf = (type: string): string => `${type.split('.').map(pascal).join('')}Event`

const header = (name: string, description: string, pattern: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', maxLength: 1000, pattern },
  example,
})

/** The headers of Standard Webhooks 1.0. */
const webhookHeaders = {
  WebhookId: header(
    'webhook-id',
    'The id of the event, the same for every attempt.',
    '^evt_',
    'evt_01jd3v7wh2e7ktvq4n1m8r5z9c',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'The time of the attempt in seconds since 1970.',
    '^[0-9]+$',
    '1795166400',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'HMAC-SHA256 signatures, separated by spaces; two while a secret is rotated.',
    '^v1,',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

/** The section `webhooks` of the document, and the components that it adds. */
type WebhookSection = { webhooks: Json; schemas: Json; parameters: Json; responses: Json }

/** @param replies the responses of all routes, among them the objects of the events */
export const webhookSection = (types: EventType[], replies: Wire<never>[]): WebhookSection => ({
  webhooks: webhooksOf(types, replies.find(({ name }) => name === 'Event')!),
  schemas: { ...eventSchemas(types, replies), WebhookTimestamp: webhookTimestamp },
  parameters: webhookHeaders,
  responses: webhookResponses,
})

/** A schema for each event type. */
function eventSchemas(types: EventType[], replies: Wire<never>[]): Json {
  const byName = new Map(replies.map((reply) => [reply.name, reply]))
  const schemaOf = ({ type, description, example, members: shown, related = {} }: EventType): Json => {
    const object = pascal(example.object as string)
    const reply = byName.get(object)
    if (!reply) throw new Error(`No route returns the object of ${type}: ${object}`)
    const members = {
      type: { type: 'string', const: type },
      data: {
        type: 'object',
        properties: {
          object: ref('schemas', shown ? partNameOf(type) : object),
          previous: { type: 'object' },
          ...Object.fromEntries(Object.keys(related).map((name) => [name, changedFieldsOf(name)])),
        },
      },
    }
    return {
      description,
      allOf: [ref('schemas', 'Event'), { type: 'object', required: ['type', 'data'], properties: members }],
    }
  }
  const partsOf = ({ type, example, members }: EventType): [string, Json][] =>
    members ? [[partNameOf(type), partOf(byName.get(pascal(example.object as string))!, members)]] : []
  return {
    ...Object.fromEntries(types.map((type) => [schemaNameOf(type.type), schemaOf(type)])),
    ...Object.fromEntries(types.flatMap(partsOf)),
  }
}

/** The schema of the object of an event that has some members only: `ConversationDeleted`. */
const partNameOf = (type: string): string => type.split('.').map(pascal).join('')

const partOf = ({ schema }: Wire<never>, members: readonly string[]): Json => ({
  type: 'object',
  description: 'The object, of which these members alone are shown.',
  required: [...members],
  properties: Object.fromEntries(
    members.map((name) => [name, (schema as { properties?: Json }).properties?.[name]]),
  ),
})

const changedFieldsOf = (name: string): Json => ({
  type: 'object',
  description: `The fields of the ${name} that changed with it, among them \`version\`, and its \`id\`.`,
})

/** @param event the wire of all events */
const webhooksOf = (types: EventType[], event: Wire<never>): Json =>
  Object.fromEntries(types.map((type) => [type.type, { post: webhookOf(type, event.example as Json) }]))

function webhookOf(eventType: EventType, envelope: Json): Json {
  const { type, description } = eventType
  const example = { ...exampleOfEvent(envelope, eventType), timestamp: envelope.created_at }
  const name = schemaNameOf(type)
  return {
    operationId: `on${name}`,
    summary: description.replace(/\.$/, ''),
    description: `Sent to webhook endpoints with \`${type}\` in \`enabled_events\`. Endpoints with \`payload: thin\` receive it without \`data\`.`,
    tags: ['events'],
    security: [],
    parameters: Object.keys(webhookHeaders).map((name) => ref('parameters', name)),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { allOf: [ref('schemas', name), ref('schemas', 'WebhookTimestamp')] },
          example,
        },
      },
    },
    responses: { 200: ref('responses', 'WebhookReceived'), 410: ref('responses', 'WebhookGone') },
  }
}

/** The answers of a receiver. */
const webhookResponses = {
  WebhookReceived: {
    description: 'Any 2xx status acknowledges the event. Any other status is retried with growing pauses.',
  },
  WebhookGone: { description: 'Disables the endpoint.' },
}

const webhookTimestamp: Json = {
  type: 'object',
  description: 'The member of a webhook body that events in the feed do not have.',
  required: ['timestamp'],
  properties: {
    timestamp: {
      type: 'string',
      format: 'date-time',
      maxLength: 40,
      description: 'The `created_at` of the event, the same for every attempt.',
    },
  },
}
