import { eventNames } from '../../../platform/journal/event-names.ts'
import { parseInstant } from '../../../platform/kernel/clock.ts'
import { crud } from '../../../platform/resource/crud.ts'
import type { EventType } from '../../../platform/resource/event-type.ts'
import { type Route, write } from '../../../platform/resource/resource.ts'
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

/** @param eventTypes all event types */
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
          'The endpoint receives events that are committed from now on, so the key also needs the scope `events:read`. The secret, which the receiver uses to verify requests, is shown only once, in this response.',
        reply: webhookEndpointWithSecretWire,
        handle: createWebhookEndpoint,
      },
      list: {
        description: 'Lists the endpoints of the environment, without their secrets and header values.',
      },
      read: {
        description: 'Returns an endpoint without its secret. To see why it fails, list its deliveries.',
      },
      update: {
        body: webhookEndpointPatch(names),
        example: { enabled_events: ['*'], headers: { 'X-Shop-Token': '50d2a7' } },
        replyExample: { ...webhookEndpointExample, enabled_events: ['*'], version: 2 },
        description:
          'Changing `url` or `enabled_events` also requires the scope `events:read`. An endpoint that is enabled again receives events committed from then on, and its pending deliveries are sent. Use `recover` to send the events it has missed.',
        handle: (change, patch, id) => updateWebhookEndpoint(change, id, patch),
      },
      remove: {
        description:
          'Stops all requests to the endpoint and deletes its deliveries. To stop them for a time only, set `status` to `paused`.',
        handle: deleteWebhookEndpoint,
      },
    }),
    write({
      method: 'POST',
      path: '/webhook_endpoints/{id}/rotate_secret',
      name: 'rotateWebhookSecret',
      summary: 'Rotate a webhook endpoint secret',
      description:
        'The new secret is shown only once, in this response. For `grace_seconds`, requests carry two signatures, one with the new and one with the previous secret, so that receivers have time to switch. Another rotation in that time ends the older secret.',
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
      summary: 'Recover missed events',
      description:
        'Delivers events since a given time that match `enabled_events` and the `filter`, and were not delivered to the endpoint: because it was not enabled, was not yet created, or all attempts failed. Events that were delivered or are pending are skipped, so the request can be repeated at any time. Deliveries are made in the background, and wait while the endpoint is not enabled. Only events that `GET /v1/events` still lists can be delivered.',
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
