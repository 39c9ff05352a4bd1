import type { Entity } from '../../db/change.ts'
import { presentEpoch } from '../../db/epoch.ts'
import { activate, deleteState, type WebhookEndpoint, webhookEndpointTable } from './queries.ts'
import { deleteRecoveriesOf } from './recovery/queries.ts'
import { webhookEndpointWire } from './schema.ts'

export const webhookEndpoints: Entity<WebhookEndpoint> = {
  type: 'webhook_endpoint',
  table: webhookEndpointTable,
  wire: webhookEndpointWire,
  unshown: ['headers_sealed', 'secret_sealed', 'former_secret_until'],
  async consequences(change, before, after) {
    if (!after) {
      change.also(deleteState(change.tenantId, before!.id))
      change.also(deleteRecoveriesOf(change.tenantId, before!.id))
    } else if (after.status === 'enabled' && before?.status !== 'enabled')
      change.also(activate(change.tenantId, after.id, await presentEpoch(change.db)))
  },
}
