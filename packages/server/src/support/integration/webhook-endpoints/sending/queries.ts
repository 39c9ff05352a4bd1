import { everyEnvironment } from '../../../../platform/journal/every-environment.ts'
import { type Lag, readLag } from '../../../../platform/journal/lag.ts'
import {
  after,
  inOrder,
  lastOrdinal,
  mayBeBehind,
  type Position,
  upTo,
} from '../../../../platform/journal/positions.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Environment } from '../../../../platform/kernel/environment.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { WebhookPayload } from '../body.ts'
import type { DeliveryStatus } from '../deliveries/queries.ts'
import { maxKeptAttempts } from '../deliveries/schema.ts'

/** An enabled endpoint, and the position of the change that enabled it; it receives later events only. */
export type Subscriber = { id: string; enabled_events: string[]; filter: unknown; active: Position }

export async function subscribers(db: Db, tenantId: string): Promise<Subscriber[]> {
  const rows = await db.rows<Omit<Subscriber, 'active'> & { epoch: number; position: number }>(
    sql`select w.id, w.enabled_events, w.filter, s.active_epoch as epoch, s.active_position as position
      from webhook_endpoints w join webhook_endpoint_states s on s.tenant_id = ${tenantId} and s.endpoint_id = w.id
      where w.tenant_id = ${tenantId} and w.status = 'enabled'`,
  )
  return rows.map(({ epoch, position, ...row }) => ({
    ...row,
    active: { epoch, position, ordinal: lastOrdinal },
  }))
}

/** Returns the environments that have an enabled endpoint and events not yet read by the consumer. */
export async function environmentsToFanOut(db: Db, consumer: string): Promise<string[]> {
  const rows = await db.slowRows<{ id: string }>(
    sql`select h.tenant_id as id from ${eventsToFanOut(consumer, 1)}`,
  )
  return rows.map(({ id }) => id)
}

/** The first events of each environment (`h`) with an enabled endpoint that the consumer has not read (`news`). */
const eventsToFanOut = (consumer: string, most: number): Sql =>
  sql`${everyEnvironment}
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = ${consumer}
    cross join lateral (select s.active_epoch, s.active_position from webhook_endpoints w join webhook_endpoint_states s
        on s.tenant_id = w.tenant_id and s.endpoint_id = w.id
      where w.tenant_id = h.tenant_id and w.status = 'enabled' order by s.active_epoch, s.active_position limit 1) first
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id
      and (events.epoch, events.position, events.ordinal) > (first.active_epoch, first.active_position, ${lastOrdinal}::integer)
      and (events.epoch, events.position, events.ordinal) > (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0))${inOrder}
      limit ${most}) news
    where ${mayBeBehind} and exists (select 1 from webhook_endpoints w where w.tenant_id = h.tenant_id and w.status = 'enabled')`

/** The lag of the consumer. @see readLag */
export const fanOutLag = (db: Pick<Db, 'rows'>, consumer: string, realNowMs: number): Promise<Lag> =>
  readLag(db, (most) => eventsToFanOut(consumer, most), realNowMs)

/**
 * The deliveries to enabled endpoints that have neither succeeded nor failed, counted up to `most`, and the time by
 * which the oldest due attempt is late, in milliseconds. Endpoints that fail are late by their own fault and do not
 * count for the latter. Probes an index once for each endpoint.
 */
export async function deliveryBacklog(
  db: Pick<Db, 'rows'>,
  realNowMs: number,
  most: number,
): Promise<{ pending: number; overdueMs: number }> {
  const [counted] = await db.rows<{ pending: number }>(sql`select count(*) as pending from (
    select 1 from journal_heads h join webhook_endpoints w on w.tenant_id = h.tenant_id cross join lateral (
      select 1 from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
        and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit ${most}) d
    where w.status = 'enabled' limit ${most}) found`)
  const [late] = await db.rows<{ overdueMs: number }>(sql`select
      greatest(0, max(${realNowMs}::bigint + e.clock_offset_ms - extract(epoch from d.next_attempt_at) * 1000))::float8 as "overdueMs"
    from ${everyEnvironment} join webhook_endpoints w on w.tenant_id = h.tenant_id
    join webhook_endpoint_states s on s.tenant_id = h.tenant_id and s.endpoint_id = w.id
    cross join lateral (select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
      and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.status = 'enabled' and s.failing_since is null`)
  return { pending: counted!.pending, overdueMs: late!.overdueMs }
}

/** Returns true if the consumer has read every event up to a position that an enabled endpoint could subscribe to. */
export async function isFannedOut(
  db: Db,
  tenantId: string,
  consumer: string,
  end: Position,
): Promise<boolean> {
  const rows = await db.rows(sql`select 1 from events where tenant_id = ${tenantId}${upTo(end)}
      and (epoch, position, ordinal) > (select epoch, position, ordinal from (
        select p.epoch, p.position, p.ordinal from journal_positions p where p.tenant_id = ${tenantId} and p.follower = ${consumer}
        union all (select s.active_epoch, s.active_position, ${lastOrdinal}::integer from webhook_endpoints w join webhook_endpoint_states s
            on s.tenant_id = ${tenantId} and s.endpoint_id = w.id where w.tenant_id = ${tenantId} and w.status = 'enabled'
          order by s.active_epoch, s.active_position limit 1)) start order by epoch desc, position desc, ordinal desc limit 1)
    limit 1`)
  return rows.length === 0
}

/** An imported event is of the past: only endpoints that name its type receive it. */
export type EventToDeliver = Position & { id: string; type: string; is_imported: boolean }

/** Returns the first events of a range without their data. */
export async function eventsToDeliver(
  db: Db,
  tenantId: string,
  { from, end }: { from: Position; end: Position },
  limit: number,
): Promise<EventToDeliver[]> {
  const rows = await db.rows<EventToDeliver>(sql`select epoch, position, ordinal, id, type,
      audited is not null and audited like 'imported %' as is_imported from events
    where tenant_id = ${tenantId}${after(from)}${upTo(end)}${inOrder} ${limitTo(limit)}`)
  return rows.slice(0, limit)
}

export type NewDelivery = { id: string; endpointId: string; event: EventToDeliver; now: Instant }

const newDeliveries = rowSet<NewDelivery>({
  id: ['uuid', ({ id }) => id],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  event_id: ['uuid', ({ event }) => event.id],
  event_type: ['text', ({ event }) => event.type],
  epoch: ['integer', ({ event }) => event.epoch],
  position: ['text', ({ event }) => String(event.position)],
  ordinal: ['integer', ({ event }) => event.ordinal],
  at: ['timestamptz', ({ now }) => now],
})

/** Inserts deliveries. An event has one delivery per endpoint, even if the consumer reads it again. */
export const insertDeliveries = (tenantId: string, deliveries: NewDelivery[]): Sql =>
  sql`insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, epoch, position, ordinal,
      status, tries, next_attempt_at, created_at, updated_at, version)
    select ${tenantId}::uuid, id, endpoint_id, event_id, event_type, epoch, position::xid8, ordinal, 'pending', 0, at, at, at, 1
    from ${newDeliveries(deliveries)}
    on conflict (tenant_id, endpoint_id, event_id) do nothing`

/** The destination of deliveries, with the secrets that sign them. */
export type Destination = {
  id: string
  url: string
  payload: WebhookPayload
  headers_sealed: Buffer | null
  secret_sealed: Buffer
  former_secret_sealed: Buffer | null
  former_secret_until: Instant | null
  failing_since: Instant | null
}

export type DueDelivery = {
  id: string
  endpoint_id: string
  event_id: string
  tries: number
  next_attempt_at: Instant
  /** The envelope of a test delivery, whose event is not in the journal. */
  body: string | null
  epoch: number | null
  position: number | null
  ordinal: number | null
}

/** An endpoint whose deliveries a process has read before. */
export type Known = { id: string; wanted: number; known: Set<string> }

/** The number of deliveries that are read of an endpoint at first. */
export const firstWanted = 16

/** An enabled endpoint with its next deliveries. */
export type Served = { destination: Destination; due: DueDelivery[] }

/**
 * Returns the current state of an environment and its enabled endpoints, those that have been failing last, with the
 * deliveries that are due by the environment's clock: up to `wanted` for each, so that endpoints do not wait for each
 * other, without `known` ones, which are already in progress. One statement: it is executed for each event. Null
 * without an enabled endpoint.
 */
export async function dueDeliveries(
  db: Db,
  tenantId: string,
  realNowMs: number,
  endpoints: Known[],
): Promise<{ env: Environment; served: Served[] } | null> {
  type Row = Destination &
    Environment & { delivery_id: string | null } & Omit<DueDelivery, 'id' | 'endpoint_id'>
  // Headers may be long, and are read once for each endpoint.
  const rows = await db.rows<Row>(sql`with e as materialized (
      select id, workspace_id, kind, clock_offset_ms from environments where id = ${tenantId})
    select w.id, w.url, w.payload, case when d.place > 1 then null else w.headers_sealed end as headers_sealed, w.secret_sealed,
      w.former_secret_sealed, w.former_secret_until, s.failing_since,
      e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs",
      d.id as delivery_id, d.event_id, d.tries, d.next_attempt_at, d.body, d.epoch, d.position, d.ordinal
    from e cross join webhook_endpoints w
    join webhook_endpoint_states s on s.tenant_id = ${tenantId} and s.endpoint_id = w.id
    left join unnest(${endpoints.map(({ id }) => id)}::uuid[], ${endpoints.map(({ wanted }) => wanted)}::integer[])
      asked (id, wanted) on asked.id = w.id
    left join lateral (
      select id, event_id, tries, next_attempt_at, body, epoch, position, ordinal,
        row_number() over (order by next_attempt_at, webhook_deliveries.id) as place
      from webhook_deliveries where webhook_deliveries.tenant_id = ${tenantId} and webhook_deliveries.endpoint_id = w.id
        and status = 'pending' and next_attempt_at <= to_timestamp((${realNowMs}::bigint + e.clock_offset_ms) / 1000.0)
        and webhook_deliveries.id not in (select unnest(${endpoints.flatMap(({ known }) => [...known])}::uuid[]))
      order by next_attempt_at, webhook_deliveries.id limit coalesce(asked.wanted, ${firstWanted}::integer)) d on true
    where w.tenant_id = ${tenantId} and w.status = 'enabled' order by s.failing_since nulls first, w.id, d.place`)
  const [first] = rows
  if (!first) return null
  const { tenantId: _, workspaceId, kind, clockOffsetMs } = first
  const served = new Map<string, Served>()
  for (const row of rows) {
    const each = served.get(row.id) ?? { destination: row, due: [] }
    served.set(row.id, each)
    if (row.delivery_id !== null) each.due.push({ ...row, id: row.delivery_id, endpoint_id: row.id })
  }
  return { env: { tenantId, workspaceId, kind, clockOffsetMs }, served: [...served.values()] }
}

/** Returns the time of the next delivery to enabled endpoints of an environment; null without one. */
export async function nextDelivery(db: Db, tenantId: string): Promise<Instant | null> {
  const [row] = await db.rows<{ at: Instant }>(sql`select d.next_attempt_at as at
    from webhook_endpoints w cross join lateral (
      select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = ${tenantId}
        and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.tenant_id = ${tenantId} and w.status = 'enabled' order by d.next_attempt_at limit 1`)
  return row?.at ?? null
}

/**
 * Returns the environments with deliveries to enabled endpoints that are due within some time, each with the time of
 * the next one by its own clock.
 */
export const environmentsToServe = (
  db: Db,
  realNowMs: number,
  withinMs: number,
): Promise<{ tenantId: string; clockOffsetMs: number; nextAt: Instant }[]> =>
  db.slowRows(sql`select e.id as "tenantId", e.clock_offset_ms as "clockOffsetMs", min(d.next_attempt_at) as "nextAt"
    from ${everyEnvironment} join webhook_endpoints w on w.tenant_id = h.tenant_id
    cross join lateral (select next_attempt_at from webhook_deliveries where webhook_deliveries.tenant_id = w.tenant_id
      and webhook_deliveries.endpoint_id = w.id and status = 'pending' order by next_attempt_at limit 1) d
    where w.status = 'enabled'
      and d.next_attempt_at <= to_timestamp((${realNowMs + withinMs}::bigint + e.clock_offset_ms) / 1000.0)
    group by e.id, e.clock_offset_ms`)

/** The outcome of an attempt. */
export type Outcome = {
  deliveryId: string
  /** The values that were read before the attempt. A delivery with other values has changed and keeps its state. */
  was: { tries: number; nextAttemptAt: Instant }
  status: DeliveryStatus
  tries: number
  nextAttemptAt: Instant | null
  /** The end of the attempt, by the environment's clock. */
  at: Instant
  /** JSON of the attempt, with and without the response body. */
  attempt: string
  erasedAttempt: string
}

const outcomes = rowSet<Outcome>({
  id: ['uuid', ({ deliveryId }) => deliveryId],
  was_tries: ['integer', ({ was }) => was.tries],
  was_due: ['timestamptz', ({ was }) => was.nextAttemptAt],
  status: ['text', ({ status }) => status],
  tries: ['integer', ({ tries }) => tries],
  next_attempt_at: ['timestamptz', ({ nextAttemptAt }) => nextAttemptAt],
  at: ['timestamptz', ({ at }) => at],
  attempt: ['text', ({ attempt }) => attempt],
  erased_attempt: ['text', ({ erasedAttempt }) => erasedAttempt],
  // Serialized here as a list of one, because PostgreSQL's functions that build JSON are not immutable.
  known_by: ['text', ({ erasedAttempt }) => JSON.stringify([withoutAnswer(erasedAttempt)])],
})

/** The members that identify an attempt, whether or not its response body was kept. */
const withoutAnswer = (attempt: string): object => ({ ...JSON.parse(attempt), response_body: undefined })

const asItWas = sql`(webhook_deliveries.status = 'pending' and webhook_deliveries.tries = v.was_tries
  and webhook_deliveries.next_attempt_at = v.was_due)`

/** The result of a batch for an endpoint: whether an attempt succeeded, and the failures since the last success. */
export type Fate = { endpointId: string; succeeded: boolean; failures: number; failingSince: Instant | null }

const fates = rowSet<Fate>({
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  succeeded: ['boolean', ({ succeeded }) => succeeded],
  failures: ['integer', ({ failures }) => failures],
  since: ['timestamptz', ({ failingSince }) => failingSince],
})

/** An endpoint without a success since `failing_since`. */
export type FailingEndpoint = {
  endpoint_id: string
  consecutive_failures: number
  failing_since: Instant | null
}

/**
 * Records attempts and the results of their endpoints, and returns those endpoints that have been failing. An endpoint
 * without failures is not written. A delivery keeps its state if it was rescheduled meanwhile, manually or by a
 * recovery, or if another process has handled it. The attempt is still added to its log, once however often it is
 * recorded.
 */
export const recordOutcomes = (
  db: Db,
  tenantId: string,
  ended: Outcome[],
  fared: Fate[],
): Promise<FailingEndpoint[]> =>
  db.write(sql`with d as (
      update webhook_deliveries set updated_at = v.at, version = webhook_deliveries.version + 1,
        status = case when ${asItWas} then v.status else webhook_deliveries.status end,
        tries = case when ${asItWas} then v.tries else webhook_deliveries.tries end,
        next_attempt_at = case when ${asItWas} then v.next_attempt_at else webhook_deliveries.next_attempt_at end,
        attempts = case when attempts @> v.known_by::jsonb then attempts
          else (case when jsonb_array_length(attempts) < ${maxKeptAttempts}::integer then attempts else attempts - 0 end)
            || case when erased then v.erased_attempt else v.attempt end::jsonb end
      from ${outcomes(ended)}
      where webhook_deliveries.tenant_id = ${tenantId} and webhook_deliveries.id = v.id
        and webhook_deliveries.id = any(${ended.map(({ deliveryId }) => deliveryId)}::uuid[])),
    s as (
      update webhook_endpoint_states set
        consecutive_failures = case when v.succeeded then 0 else consecutive_failures end + v.failures,
        failing_since = case when v.succeeded then v.since else coalesce(failing_since, v.since) end
      from ${fates(fared)}
      where webhook_endpoint_states.tenant_id = ${tenantId} and webhook_endpoint_states.endpoint_id = v.endpoint_id
        and (v.failures > 0 or consecutive_failures > 0)
      returning webhook_endpoint_states.endpoint_id, consecutive_failures, failing_since)
    select endpoint_id, consecutive_failures, failing_since from s`)
