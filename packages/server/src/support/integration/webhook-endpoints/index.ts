import { defineResource } from '../../../platform/resource/resource.ts'
import { webhookDeliveries } from './deliveries/entity.ts'
import { webhookEndpoints } from './entity.ts'
import { webhookEndpointReactions } from './reactions.ts'
import { recoverNext, recoveryJob } from './recovery/actions.ts'
import { routes } from './routes.ts'
import { webhookEndpointExample } from './schema.ts'

const event = (verb: string, description: string, changed: object = {}) => ({
  type: `webhook_endpoint.${verb}`,
  description,
  example: { ...webhookEndpointExample, ...changed },
})

export default defineResource({
  name: 'webhook-endpoints',
  title: 'Webhook endpoints',
  group: { title: 'Integration', place: 52 },
  scopes: { family: 'webhook_endpoints', roles: { agent: 'none', lead: 'none' } },
  description: 'HTTPS URLs that receive events, signed according to Standard Webhooks 1.0.',
  routes,
  jobs: [{ name: recoveryJob, perform: recoverNext }],
  sealed: [
    { table: 'webhook_endpoints', columns: ['headers_sealed', 'secret_sealed', 'former_secret_sealed'] },
  ],
  entities: [webhookEndpoints, webhookDeliveries],
  reactions: webhookEndpointReactions,
  events: [
    event('created', 'A webhook endpoint was created.'),
    event('updated', 'A webhook endpoint was updated, paused or enabled.'),
    event('secret_rotated', 'The secret of a webhook endpoint was rotated.'),
    event('disabled', 'The server disabled a webhook endpoint for the reason in `disabled_reason`.', {
      status: 'disabled',
      disabled_reason: 'failing',
      consecutive_failures: 23,
      version: 2,
    }),
    event('deleted', 'A webhook endpoint was deleted.'),
  ],
})
