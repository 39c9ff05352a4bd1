import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type WebhookEndpoint, webhookEndpointTable } from './queries.ts'
import { webhookEndpointWire } from './schema.ts'

const events = [
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.secret_rotated',
  'webhook_endpoint.disabled',
  'webhook_endpoint.deleted',
] as const

export const webhookEndpoints: Entity<WebhookEndpoint, (typeof events)[number]> = {
  type: 'webhook_endpoint',
  prefix: declareIds('webhook_endpoint', 'whe'),
  events,
  table: webhookEndpointTable,
  wire: webhookEndpointWire,
  unshown: ['headers_sealed', 'secret_sealed', 'former_secret_until'],
}
