import { declareIds } from '../../../../platform/kernel/ids.ts'
import type { Entity } from '../../../../platform/unit-of-work/entity.ts'
import { type Delivery, deliveryTable } from './queries.ts'
import { deliveryWire } from './schema.ts'

/** Changes of deliveries write no events: an endpoint that received them would never finish. */
export const webhookDeliveries: Entity<Delivery, never> = {
  type: 'webhook_delivery',
  prefix: declareIds('webhook_delivery', 'whd'),
  events: [],
  table: deliveryTable,
  wire: deliveryWire,
  unshown: ['tries'],
}
