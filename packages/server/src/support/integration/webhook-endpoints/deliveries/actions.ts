import { findFloor, isBefore, type Position } from '../../../../platform/journal/positions.ts'
import { toUnixMs } from '../../../../platform/kernel/clock.ts'
import { ApiError } from '../../../../platform/kernel/errors.ts'
import { newUuid, typeId } from '../../../../platform/kernel/ids.ts'
import type { EventType } from '../../../../platform/resource/event-type.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { sentKey } from '../../../../platform/unit-of-work/idempotency-space.ts'
import { exampleEvent } from '../../events/schema.ts'
import { webhookEndpoints } from '../entity.ts'
import { webhookDeliveries } from './entity.ts'
import type { Delivery } from './queries.ts'

/** Makes a delivery due now, in any status, and restarts its retry schedule. */
export async function retryDelivery(change: Change, id: string): Promise<Delivery> {
  const delivery = await change.rows.load(webhookDeliveries, id)
  if (await hasExpired(change, delivery))
    throw new ApiError('invalid_transition', { from: 'expired', action: 'retry', allowed: [] })
  const patch = { status: 'pending', next_attempt_at: change.now, tries: 0 } as const
  return change.rows.update(webhookDeliveries, delivery, patch, null)
}

/** Returns true if the feed no longer contains the event; its data cannot be sent then. */
async function hasExpired(change: Change, delivery: Delivery): Promise<boolean> {
  if (delivery.position === null) return false
  const floor = await findFloor(change.db, change.tenantId)
  return floor !== null && !isBefore(floor, delivery as Position)
}

/** Schedules the delivery of an example event of this type. The journal does not contain it. */
export async function testWebhookEndpoint(
  change: Change,
  id: string,
  eventType: EventType,
): Promise<Delivery> {
  const endpoint = await change.rows.peek(webhookEndpoints, id)
  if (endpoint.status !== 'enabled')
    throw new ApiError('invalid_transition', { from: endpoint.status, action: 'test', allowed: [] })
  change.rows.guard(webhookEndpoints, endpoint)
  const { env, principal, request } = change.ctx
  const eventId = newUuid(toUnixMs(change.now))
  const event = {
    ...exampleEvent(eventType),
    id: typeId('evt', eventId),
    created_at: change.now,
    environment: env.kind,
    actor: principal.actor,
    request: {
      id: request?.id ?? null,
      idempotency_key: request?.idempotency ? sentKey(request.idempotency.key) : null,
    },
  }
  const delivery: Delivery = {
    ...change.stamp(),
    endpoint_id: endpoint.id,
    event_id: eventId,
    event_type: eventType.type,
    epoch: null,
    position: null,
    ordinal: null,
    status: 'pending',
    tries: 0,
    next_attempt_at: change.now,
    attempts: [],
    body: JSON.stringify(event),
  }
  return change.rows.create(webhookDeliveries, delivery, null)
}
