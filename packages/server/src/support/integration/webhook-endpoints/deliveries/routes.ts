import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { EventType } from '../../../../platform/resource/event-type.ts'
import { list, type Route, read, write } from '../../../../platform/resource/resource.ts'
import { webhookEndpointTable } from '../queries.ts'
import { retryDelivery, testWebhookEndpoint } from './actions.ts'
import { deliveriesOf, deliveryOrders, deliveryTable } from './queries.ts'
import { deliveryExample, deliveryFilters, deliveryWire, testRequest } from './schema.ts'

const begun = { ...deliveryExample, next_attempt_at: '2026-11-20T09:45:00.000Z' }

/** @param eventTypes all event types */
export function deliveryRoutes(eventTypes: EventType[]): Route[] {
  const types = eventTypes.map(({ type }) => type)
  return [
    write({
      method: 'POST',
      path: '/webhook_endpoints/{id}/test',
      name: 'testWebhookEndpoint',
      summary: 'Send a test event',
      description:
        'Sends an example event of the given type, which is not added to the journal. It is delivered like any other event: signed, with the headers of the endpoint, and with retries. Requires an enabled endpoint.',
      scope: 'webhook_endpoints:write',
      status: 202,
      params: { id: 'whe' },
      errors: ['invalid_transition'],
      body: testRequest(types),
      bodyExample: { event_type: deliveryExample.event_type },
      reply: deliveryWire,
      replyExample: { ...begun, attempts: [], version: 1 },
      location: (row) => `/webhook_deliveries/${typeId('whd', row.id)}`,
      handle: (change, { params, body }) =>
        testWebhookEndpoint(change, params.id, eventTypes.find(({ type }) => type === body.event_type)!),
    }),
    list({
      path: '/webhook_endpoints/{id}/deliveries',
      name: 'listWebhookDeliveries',
      summary: 'List webhook deliveries',
      description:
        'Lists what was or will be sent to the endpoint: one delivery for each event, with all its attempts.',
      scope: 'webhook_endpoints:read',
      params: { id: 'whe' },
      query: deliveryFilters(types),
      item: deliveryWire,
      sorts: ['-created_at', 'created_at'],
      sortKey: (row, sort) => deliveryOrders[sort].key(row),
      handle: async ({ db, env }, { params, query, page }) => {
        if (!(await webhookEndpointTable.find(db, env.tenantId, params.id))) throw new ApiError('not_found')
        return deliveryTable.list(
          db,
          env.tenantId,
          deliveriesOf(params.id, query),
          deliveryOrders[page.sort],
          page,
          { slow: Object.keys(query).length > 0 },
        )
      },
      count: ({ db, env }, { params, query }, atMost) =>
        deliveryTable.count(db, env.tenantId, deliveriesOf(params.id, query), atMost),
    }),
    read({
      path: '/webhook_deliveries/{id}',
      name: 'getWebhookDelivery',
      summary: 'Get a webhook delivery',
      description: 'Returns a delivery with the response to each attempt and the time of the next one.',
      scope: 'webhook_endpoints:read',
      params: { id: 'whd' },
      reply: deliveryWire,
      handle: ({ db, env }, { params }) => deliveryTable.find(db, env.tenantId, params.id),
    }),
    write({
      method: 'POST',
      path: '/webhook_deliveries/{id}/retry',
      name: 'retryWebhookDelivery',
      summary: 'Retry a webhook delivery',
      description:
        'Sends the event again immediately, whatever the status of the delivery: a failed delivery restarts its retries, a pending one is sent now, and a successful one is sent once more. The delivery waits while its endpoint is not enabled. An event that is no longer kept cannot be sent (409).',
      scope: 'webhook_endpoints:write',
      status: 202,
      params: { id: 'whd' },
      errors: ['invalid_transition'],
      reply: deliveryWire,
      replyExample: { ...begun, updated_at: begun.next_attempt_at, version: 3 },
      handle: (change, { params }) => retryDelivery(change, params.id),
    }),
  ]
}
