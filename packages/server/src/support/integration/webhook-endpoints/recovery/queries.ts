import { after, inOrder, lastOrdinal, type Position, upTo } from '../../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../../platform/kernel/clock.ts'
import { firstUuidAt } from '../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Columns, rowSet } from '../../../../platform/postgres/row-set.ts'
import { none, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { ofTypes } from '../../events/queries.ts'

/** The events after a position, up to two others, and created no earlier than `since`. */
export type EventRange = { from: Position; until: Position; through?: Position; since: Instant }

export type Recovery = EventRange & { id: string; endpoint_id: string }

export const insertRecovery = (
  tenantId: string,
  { id, endpoint_id, since, from, until }: Recovery,
  at: Instant,
): Sql =>
  sql`insert into webhook_recoveries (tenant_id, id, endpoint_id, since, epoch, position, ordinal, until_epoch, until_position, created_at)
    values (${tenantId}, ${id}, ${endpoint_id}, ${since}, ${from.epoch}, ${from.position}::text::xid8, ${from.ordinal},
      ${until.epoch}, ${until.position}::text::xid8, ${at})`

export async function findRecovery(db: Db, tenantId: string, id: string): Promise<Recovery | null> {
  type Row = Position & { endpoint_id: string; since: Instant; until_epoch: number; until_position: number }
  const row =
    await db.maybe<Row>(sql`select endpoint_id, since, epoch, position, ordinal, until_epoch, until_position
    from webhook_recoveries where tenant_id = ${tenantId} and id = ${id}`)
  if (!row) return null
  const { endpoint_id, since, until_epoch, until_position, ...from } = row
  return {
    id,
    endpoint_id,
    since,
    from,
    until: { epoch: until_epoch, position: until_position, ordinal: lastOrdinal },
  }
}

export const moveRecovery = (tenantId: string, id: string, to: Position): Sql =>
  sql`update webhook_recoveries set epoch = ${to.epoch}, position = ${to.position}::text::xid8, ordinal = ${to.ordinal}
    where tenant_id = ${tenantId} and id = ${id}`

export const deleteRecovery = (tenantId: string, id: string): Sql =>
  sql`delete from webhook_recoveries where tenant_id = ${tenantId} and id = ${id}`

export const deleteRecoveriesOf = (tenantId: string, endpointId: string): Sql =>
  sql`delete from webhook_recoveries where tenant_id = ${tenantId} and endpoint_id = ${endpointId}`

const inRange = (tenantId: string, { from, until, through }: EventRange): Sql =>
  sql`where events.tenant_id = ${tenantId}${after(from)}${upTo(until)}${through ? upTo(through) : none}`

const isWanted = (names: string[], { since }: EventRange): Sql =>
  sql`events.created_at >= ${since} and ${ofTypes(names.includes('*') ? null : names)}`

/** The maximum difference between the clocks of processes: another process may create the delivery of an event. */
const skewMs = 60_000

/**
 * Counts the events of a range that an endpoint has missed: those it subscribes to without a delivery, or with a
 * failed one. `except` subtracts two sets. A join would be planned as a loop, because PostgreSQL cannot estimate a row
 * comparison, and takes 8 s for a million events instead of 3 s.
 * @param names events that the endpoint subscribes to
 */
export async function countMissedEvents(
  db: Db,
  tenantId: string,
  endpointId: string,
  names: string[],
  range: EventRange,
): Promise<number> {
  const madeSince = firstUuidAt(toUnixMs(range.since) - skewMs)
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from (
    select events.id from events ${inRange(tenantId, range)} and ${isWanted(names, range)}
    except
    select given.event_id from webhook_deliveries given where given.tenant_id = ${tenantId}
      and given.endpoint_id = ${endpointId} and given.id >= ${madeSince} and given.status <> 'failed') missed`)
  return row!.count
}

export type MissedEvent = Position & { id: string; type: string }

/** Returns up to `limit` missed events among the next `scan` events of a range, in order. */
export const missedEvents = (
  db: Db,
  tenantId: string,
  endpointId: string,
  names: string[],
  range: EventRange,
  { scan, limit }: { scan: number; limit: number },
): Promise<MissedEvent[]> =>
  db.slowRows(sql`select epoch, position, ordinal, id, type from (
      select epoch, position, ordinal, id, type, created_at from events ${inRange(tenantId, range)}${inOrder} limit ${scan}) events
    where ${isWanted(names, range)} and not exists (
      select 1 from webhook_deliveries given where given.tenant_id = ${tenantId} and given.event_id = events.id
        and given.endpoint_id = ${endpointId} and given.status <> 'failed')${inOrder} limit ${limit}`)

/** Returns the last of the next `scan` events of a range; null if fewer follow. */
export async function endOfScan(
  db: Db,
  tenantId: string,
  range: EventRange,
  scan: number,
): Promise<Position | null> {
  const [last] = await db.slowRows<Position>(sql`select epoch, position, ordinal from events
    ${inRange(tenantId, range)}${inOrder} offset ${scan - 1} limit 1`)
  return last ?? null
}

/** A missed event with its planned delivery. */
export type Planned = MissedEvent & { deliveryId: string; endpointId: string; at: Instant }

const planned = rowSet<Planned>({
  id: ['uuid', ({ deliveryId }) => deliveryId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  event_id: ['uuid', ({ id }) => id],
  event_type: ['text', ({ type }) => type],
  epoch: ['integer', ({ epoch }) => epoch],
  position: ['text', ({ position }) => String(position)],
  ordinal: ['integer', ({ ordinal }) => ordinal],
  at: ['timestamptz', ({ at }) => at],
} satisfies Columns<Planned>)

/** Inserts missing deliveries and restarts failed ones; others stay unchanged. */
export const recoverDeliveries = (tenantId: string, items: Planned[]): Sql =>
  sql`insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, epoch, position, ordinal,
      status, next_attempt_at, created_at, updated_at, version)
    select ${tenantId}::uuid, v.id, v.endpoint_id, v.event_id, v.event_type, v.epoch, v.position::xid8, v.ordinal, 'pending', v.at, v.at, v.at, 1
    from ${planned(items)}
    on conflict (tenant_id, event_id, endpoint_id) do update set status = 'pending', tries = 0,
      next_attempt_at = excluded.next_attempt_at, updated_at = excluded.updated_at, version = webhook_deliveries.version + 1
    where webhook_deliveries.status = 'failed'`
