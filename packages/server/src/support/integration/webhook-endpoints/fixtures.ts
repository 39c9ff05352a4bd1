import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listWebhookDeliveries: 'testWebhookEndpoint' },
  eventless: ['recoverWebhookEndpoint', 'retryWebhookDelivery', 'testWebhookEndpoint'],
}
