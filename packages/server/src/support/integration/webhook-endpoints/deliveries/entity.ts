import { declareIds } from '../../../../platform/kernel/ids.ts'
import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Delivery, deliveryTable } from './queries.ts'
import { deliveryWire } from './schema.ts'

/** Its changes are no events: an endpoint that is told of its own deliveries would never come to an end. */
export const webhookDeliveries: Entity<Delivery, never> = {
  type: 'webhook_delivery',
  prefix: declareIds('webhook_delivery', 'whd'),
  events: [],
  table: deliveryTable,
  wire: deliveryWire,
  unshown: ['tries'],
}
