import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { newUuid, typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type {
  Attempt,
  DeliveryStatus,
} from '@backline/server/support/integration/webhook-endpoints/deliveries/queries.ts'
import { type Body, succeeded } from './desk.ts'
import type { Client, Service } from './harness.ts'

/* Fixtures of the tests of webhooks. */

/** These tests have no sender, so that no request goes there. */
export const url = 'https://hooks.example.com/backline'

export const webhookEndpoint = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(await client.post('/v1/webhook_endpoints', { url, ...fields }))

export const uuid = (id: string): string => uuidOf(id.split('_')[0]!, id)!

export type JournalEvent = { id: string; type: string; epoch: number; position: number; ordinal: number }

/** The events of an environment, oldest first. */
export const journalOf = (api: Service, { tenantId }: Environment): Promise<JournalEvent[]> =>
  api.db.rows(sql`select id, type, epoch, position, ordinal from events where tenant_id = ${tenantId}
    order by epoch, events.position, ordinal`)

/** Inserts a delivery in the state in which a worker leaves it; returns its id in the API. */
export async function delivered(
  api: Service,
  { tenantId }: Environment,
  endpointId: string,
  event: JournalEvent,
  status: DeliveryStatus,
  attempts: Attempt[] = [],
): Promise<string> {
  const [id, now] = [newUuid(api.now()), toInstant(api.now())]
  await api.db.write(sql`insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, epoch, position, ordinal,
      status, tries, next_attempt_at, attempts, created_at, updated_at, version)
    values (${tenantId}, ${id}, ${uuid(endpointId)}, ${event.id}, ${event.type}, ${event.epoch}, ${event.position}::text::xid8,
      ${event.ordinal}, ${status}, ${attempts.length}, ${status === 'pending' ? now : null}, ${JSON.stringify(attempts)}, ${now}, ${now}, 1)`)
  return typeId('whd', id)
}

export const attempt = (fields: Partial<Attempt> = {}): Attempt => ({
  at: '2026-11-20T09:30:00.000Z',
  response_status: 500,
  response_body: 'out of order',
  error: null,
  duration_ms: 12,
  ...fields,
})
