import { everyEnvironment } from '../../../../platform/journal/every-environment.ts'
import { findFloor } from '../../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import { firstUuidAt } from '../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../../platform/tables/table.ts'

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed'

/** An attempt as it is stored and shown. Either `response_status` or `error` is null. */
export type Attempt = {
  at: Instant
  response_status: number | null
  response_body: string | null
  error: string | null
  duration_ms: number
}

export type Delivery = {
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  /** The position of the event in the journal; null for a test event. */
  epoch: number | null
  position: number | null
  ordinal: number | null
  status: DeliveryStatus
  tries: number
  next_attempt_at: Instant | null
  attempts: Attempt[]
  /** JSON of a test event. */
  body: string | null
  created_at: Instant
  updated_at: Instant
  version: number
}

export const deliveryTable = defineTable<Delivery>({
  name: 'webhook_deliveries',
  columns: {
    id: 'uuid',
    endpoint_id: 'uuid',
    event_id: 'uuid',
    event_type: 'text',
    status: 'text',
    tries: 'integer',
    next_attempt_at: 'timestamptz',
    attempts: 'json',
    body: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
    version: 'integer',
  },
  fixed: ['endpoint_id', 'event_id', 'event_type', 'attempts', 'body'],
  joined: {
    epoch: sql`webhook_deliveries.epoch`,
    position: sql`webhook_deliveries.position`,
    ordinal: sql`webhook_deliveries.ordinal`,
  },
  visible: (tenantId) => sql`exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = ${tenantId} and endpoint.id = webhook_deliveries.endpoint_id)`,
})

export const deliveryOrders = byCreation

export type DeliveryFilter = { status?: DeliveryStatus; event_type?: string }

export const deliveriesOf = (endpointId: string, { status, event_type }: DeliveryFilter): Sql[] => [
  sql`endpoint_id = ${endpointId}`,
  ...(status === undefined ? [] : [sql`status = ${status}`]),
  ...(event_type === undefined ? [] : [sql`event_type = ${event_type}`]),
]

/** Returns the deliveries of some events to all endpoints, including deleted ones. */
export async function idsOfDeliveries(db: Db, tenantId: string, eventIds: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select id from webhook_deliveries
    where tenant_id = ${tenantId} and event_id = any(${eventIds}::uuid[])`)
  return rows.map(({ id }) => id)
}

/**
 * Erases the stored responses to some events when personal data in the events is erased. Later responses are not
 * stored.
 */
export const eraseDeliveries = (tenantId: string, eventIds: string[], at: Instant): Sql =>
  sql`update webhook_deliveries set erased = true, updated_at = ${at}, version = version + 1,
      attempts = (select ('[' || coalesce(string_agg((case when attempt ->> 'response_body' is null then attempt
          else attempt || '{"response_body": ""}' end)::text, ',' order by place), '') || ']')::jsonb
        from jsonb_array_elements(attempts) with ordinality kept (attempt, place))
    where tenant_id = ${tenantId} and event_id = any(${eventIds}::uuid[])`

/**
 * Removes up to `limit` deliveries: those of deleted endpoints, and those older than `cutoff` that are not pending and
 * whose event the feed no longer contains.
 * @returns the number of removed rows
 */
export async function sweepDeliveries(
  db: Db,
  tenantId: string,
  cutoff: Instant,
  limit: number,
): Promise<number> {
  const remove = async (which: Sql, atMost: number) => {
    const rows = await db.write(sql`delete from webhook_deliveries
      where tenant_id = ${tenantId} and id in (select id from webhook_deliveries
        where tenant_id = ${tenantId} and ${which} order by id limit ${atMost})
      returning 1 as swept`)
    return rows.length
  }
  const gone = await goneEndpoint(db, tenantId)
  const ofGone = gone === null ? 0 : await remove(sql`endpoint_id = ${gone}`, limit)
  if (ofGone === limit) return ofGone
  // Keeps deliveries of events in the feed: a recovery treats an event without a delivery as missed.
  const floor = await findFloor(db, tenantId)
  const isForgotten = floor
    ? sql`(position is null or (epoch, position, ordinal) <= (${floor.epoch}::integer, ${floor.position}::text::xid8, ${floor.ordinal}::integer))`
    : sql`position is null`
  const isOld = sql`id < ${firstUuidAt(toUnixMs(cutoff))} and status <> 'pending' and ${isForgotten}`
  return ofGone + (await remove(isOld, limit - ofGone))
}

/**
 * Returns the environments with deliveries of deleted endpoints, or whose oldest delivery is older than the retention
 * period of events. Probes an index once per environment and endpoint.
 */
export async function environmentsWithExpiredDeliveries(db: Db, realNowMs: number): Promise<string[]> {
  const isGone = (tenantId: Sql, endpointId: Sql) => sql`not exists (select 1 from webhook_endpoints endpoint
    where endpoint.tenant_id = ${tenantId} and endpoint.id = ${endpointId})`
  const found = await Promise.all(
    [
      // A UUIDv7 begins with 48 bits of Unix milliseconds.
      sql`select e.id from ${everyEnvironment} cross join lateral (select id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id order by id limit 1) oldest
        where ('x' || translate(left(oldest.id::text, 13), '-', ''))::bit(48)::bigint
          < ${realNowMs}::bigint + e.clock_offset_ms - e.event_retention_days * 86400000::bigint`,
      sql`select h.tenant_id as id from journal_heads h cross join lateral (select endpoint_id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id order by endpoint_id limit 1) first
        where ${isGone(sql`h.tenant_id`, sql`first.endpoint_id`)}`,
      sql`select h.tenant_id as id from journal_heads h join webhook_endpoints w on w.tenant_id = h.tenant_id
        cross join lateral (select endpoint_id from webhook_deliveries
          where webhook_deliveries.tenant_id = h.tenant_id and webhook_deliveries.endpoint_id > w.id
          order by endpoint_id limit 1) next
        where ${isGone(sql`h.tenant_id`, sql`next.endpoint_id`)}`,
    ].map((query) => db.slowRows<{ id: string }>(query)),
  )
  return found.flat().map(({ id }) => id)
}

/** Returns a deleted endpoint that still has deliveries; null if there is none. Probes the index once per endpoint. */
async function goneEndpoint(db: Db, tenantId: string): Promise<string | null> {
  const [row] = await db.slowRows<{ id: string }>(sql`with recursive addressed (id) as (
      (select endpoint_id from webhook_deliveries where tenant_id = ${tenantId} order by endpoint_id limit 1)
      union all
      select (select next.endpoint_id from webhook_deliveries next
        where next.tenant_id = ${tenantId} and next.endpoint_id > addressed.id order by next.endpoint_id limit 1)
      from addressed where addressed.id is not null)
    select id from addressed where id is not null and not exists (select 1 from webhook_endpoints endpoint
      where endpoint.tenant_id = ${tenantId} and endpoint.id = addressed.id) limit 1`)
  return row?.id ?? null
}
