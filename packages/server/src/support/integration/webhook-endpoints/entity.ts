import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type WebhookEndpoint, webhookEndpointTable } from './queries.ts'
import { webhookEndpointWire } from './schema.ts'

export const webhookEndpoints: Entity<WebhookEndpoint> = {
  type: 'webhook_endpoint',
  prefix: declareIds('webhook_endpoint', 'whe'),
  table: webhookEndpointTable,
  wire: webhookEndpointWire,
  unshown: ['headers_sealed', 'secret_sealed', 'former_secret_until'],
}
