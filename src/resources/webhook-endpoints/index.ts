import { defineResource } from '../../resource.ts'
import { recoverNext, recoveryDuty } from './recovery/actions.ts'
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
  description: 'Where events are sent to, signed as Standard Webhooks 1.0 has it.',
  routes,
  duties: [{ name: recoveryDuty, perform: recoverNext }],
  events: [
    event('created', 'A webhook endpoint was created.'),
    event('updated', 'A webhook endpoint was changed, paused or enabled.'),
    event('secret_rotated', 'A webhook endpoint was given a new secret.'),
    event('disabled', 'The server disabled a webhook endpoint, for `disabled_reason`.', {
      status: 'disabled',
      disabled_reason: 'failing',
      consecutive_failures: 23,
      version: 2,
    }),
    event('deleted', 'A webhook endpoint was deleted.'),
  ],
})
