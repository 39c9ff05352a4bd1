import { crud } from '../../crud.ts'
import { parseInstant } from '../../lib/clock.ts'
import { eventNames } from '../../lib/event-names.ts'
import { type EventType, type Route, write } from '../../resource.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './actions.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { webhookEndpointOrders, webhookEndpointTable, withStatus } from './queries.ts'
import { recoverWebhookEndpoint } from './recovery/actions.ts'
import { RecoveryRequest, recoveryWire } from './recovery/schema.ts'
import {
  defaultGraceSeconds,
  newWebhookEndpoint,
  SecretRotation,
  WebhookEndpointFilters,
  webhookEndpointExample,
  webhookEndpointPatch,
  webhookEndpointWire,
  webhookEndpointWithSecretWire,
} from './schema.ts'

/** @param eventTypes all that there are */
export function routes(eventTypes: EventType[]): Route[] {
  const names = eventNames(eventTypes.map(({ type }) => type))
  return [
    ...crud({
      path: '/webhook_endpoints',
      family: 'webhook_endpoints',
      prefix: 'whe',
      noun: 'webhook endpoint',
      wire: webhookEndpointWire,
      table: webhookEndpointTable,
      orders: webhookEndpointOrders,
      filters: WebhookEndpointFilters,
      conditions: ({ status }) => (status === undefined ? [] : [withStatus(status)]),
      create: {
        body: newWebhookEndpoint(names),
        example: {
          url: webhookEndpointExample.url,
          description: webhookEndpointExample.description,
          enabled_events: webhookEndpointExample.enabled_events,
          headers: { 'X-Shop-Token': '8c1f0e' },
        },
        description:
          'It is given the events that are committed from now on. The secret, by which it knows that a request is ours, is shown this once.',
        reply: webhookEndpointWithSecretWire,
        handle: createWebhookEndpoint,
      },
      update: {
        body: webhookEndpointPatch(names),
        example: { enabled_events: ['*'], headers: { 'X-Shop-Token': '50d2a7' } },
        replyExample: { ...webhookEndpointExample, enabled_events: ['*'], version: 2 },
        description:
          'One that is enabled again is given the events that are committed from then on; `recover` sends those that it has missed. What was still to be delivered to it is delivered now.',
        handle: (change, patch, id) => updateWebhookEndpoint(change, id, patch),
      },
      remove: {
        description: 'Nothing is sent to it any more, and its deliveries are gone.',
        handle: deleteWebhookEndpoint,
      },
    }),
    write({
      method: 'POST',
      path: '/webhook_endpoints/{id}/rotate_secret',
      name: 'rotateWebhookSecret',
      summary: 'Give a webhook endpoint a new secret',
      description:
        'The new secret is shown this once. For `grace_seconds` requests carry two signatures, one with the new secret and one with the former, so that receivers can change over in between; another rotation meanwhile ends the secret before.',
      scope: 'webhook_endpoints:write',
      params: { id: 'whe' },
      body: SecretRotation,
      bodyOptional: true,
      bodyExample: { grace_seconds: defaultGraceSeconds },
      reply: webhookEndpointWithSecretWire,
      storedReply: webhookEndpointWire,
      handle: (change, { params, body }) =>
        rotateWebhookSecret(change, params.id, body.grace_seconds ?? defaultGraceSeconds),
    }),
    write({
      method: 'POST',
      path: '/webhook_endpoints/{id}/recover',
      name: 'recoverWebhookEndpoint',
      summary: 'Deliver what a webhook endpoint has missed',
      description:
        'Events since a time that its `enabled_events` name and that were not delivered to it: while it was not enabled, before it was created, or because each attempt failed. What was delivered, or is still to be, is left alone, so this can be asked for again at any time. Goes on in the background; while the endpoint is not enabled, the deliveries wait. Only events that are still in the feed can be delivered.',
      scope: 'webhook_endpoints:write',
      status: 202,
      params: { id: 'whe' },
      body: RecoveryRequest,
      bodyExample: { since: '2026-11-18T22:00:00.000Z' },
      reply: recoveryWire,
      versionOf: null,
      handle: (change, { params, body }) =>
        recoverWebhookEndpoint(change, params.id, parseInstant(body.since)!),
    }),
    ...deliveryRoutes(eventTypes),
  ]
}
