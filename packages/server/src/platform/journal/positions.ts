import type { Environment } from '../kernel/environment.ts'
import type { SortKey } from '../kernel/page.ts'
import type { Db } from '../postgres/database.ts'
import { none, type Sql, sql } from '../postgres/sql.ts'
import type { Horizon } from './horizon.ts'

/** A place in the journal's order: that of an event, or between events. `xid` is decimal. */
export type Position = { epoch: number; xid: string; ordinal: number }

export const toSortKey = ({ epoch, xid, ordinal }: Position): SortKey => [epoch, xid, ordinal]

export const fromSortKey = ([epoch, xid, ordinal]: SortKey): Position => ({
  epoch: epoch as number,
  xid: xid as string,
  ordinal: ordinal as number,
})

export const positionOf = ({ epoch, xid, ordinal }: Position): Position => ({ epoch, xid, ordinal })

/** Before all events. */
export const beginning: Position = { epoch: -2147483648, xid: '0', ordinal: 0 }

/** After every event of its transaction. */
export const lastOrdinal = 2147483647

/** Before everything above the horizon. */
export const justBefore = ({ epoch, xid }: Horizon): Position => ({
  epoch,
  xid: String(xid - 1n),
  ordinal: lastOrdinal,
})

/** The later of two positions. */
export const laterOf = (one: Position, other: Position | null): Position =>
  other && isBefore(one, other) ? other : one

/** After an event and before any possible next one. */
export const justAfter = ({ epoch, xid, ordinal }: Position): Position => ({
  epoch,
  xid,
  ordinal: ordinal + 1,
})

/** The horizon as an exclusive bound. */
export const settledEnd = ({ epoch, xid }: Horizon): Position => ({ epoch, xid: String(xid), ordinal: 0 })

export function isBefore(one: Position, other: Position): boolean {
  if (one.epoch !== other.epoch) return one.epoch < other.epoch
  const [a, b] = [BigInt(one.xid), BigInt(other.xid)]
  return a === b ? one.ordinal < other.ordinal : a < b
}

export const rowOf = ({ epoch, xid, ordinal }: Position): Sql =>
  sql`(${epoch}::integer, ${xid}::text::xid8, ${ordinal}::integer)`

/** Condition: rows of `events` after a position. A row comparison is one index range scan. */
export const after = (position: Position | null): Sql =>
  position === null ? none : sql` and (events.epoch, events.xid, events.ordinal) > ${rowOf(position)}`

export const before = (position: Position | null): Sql =>
  position === null ? none : sql` and (events.epoch, events.xid, events.ordinal) < ${rowOf(position)}`

export const upTo = (position: Position): Sql =>
  sql` and (events.epoch, events.xid, events.ordinal) <= ${rowOf(position)}`

/** Condition: rows of `events` below the horizon. */
export const settledBy = ({ epoch, xid }: Horizon): Sql =>
  sql` and (events.epoch < ${epoch} or events.xid < ${String(xid)}::text::xid8)`

/** Condition: rows of `events` after the floor of the feed. */
export const afterFloor = (tenantId: string): Sql =>
  sql` and not exists (select 1 from journal_floors floor where floor.tenant_id = ${tenantId}
    and (floor.epoch, floor.xid, floor.ordinal) >= (events.epoch, events.xid, events.ordinal))`

export const inOrder: Sql = sql` order by events.epoch, events.xid, events.ordinal`

export const newestFirst: Sql = sql` order by events.epoch desc, events.xid desc, events.ordinal desc`

/** The floor of the feed, the last event that retention has removed from it; null if there is none. */
export const findFloor = (db: Db, tenantId: string): Promise<Position | null> =>
  db.maybe(sql`select epoch, xid::text, ordinal from journal_floors where tenant_id = ${tenantId}`)

/** An environment and a consumer's position in it; null at its start. */
export async function findConsumed(
  db: Db,
  tenantId: string,
  consumer: string,
): Promise<{ env: Environment; position: Position | null } | null> {
  const found = await db.maybe<
    Environment & { epoch: number | null; xid: string; ordinal: number }
  >(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs",
      p.epoch, p.xid::text, p.ordinal
    from environments e left join journal_positions p on p.tenant_id = e.id and p.tenant_id = ${tenantId} and p.follower = ${consumer}
    where e.id = ${tenantId}`)
  if (!found) return null
  const { epoch, xid, ordinal, ...env } = found
  return { env, position: epoch === null ? null : { epoch, xid, ordinal } }
}

/**
 * The environments with events that a consumer has not processed, by one index lookup per environment. It uses
 * `coalesce` instead of `or`, and an order: otherwise PostgreSQL reads the whole table if there is nothing to find.
 */
export async function environmentsWithLag(db: Db, consumer: string): Promise<string[]> {
  const rows = await db.slowRows<{ id: string }>(sql`select e.id from ${unreadEvents(consumer, 1)}`)
  return rows.map(({ id }) => id)
}

/** The first events (`news`) of each environment (`e`) that a consumer has not processed. */
export const unreadEvents = (consumer: string, most: number): Sql =>
  sql`environments e
    left join journal_positions p on p.tenant_id = e.id and p.follower = ${consumer}
    cross join lateral (select events.created_at from events where events.tenant_id = e.id and (events.epoch, events.xid, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.xid, '0'), coalesce(p.ordinal, 0))${inOrder} limit ${most}) news`

export type Move = { consumer: string; from: Position | null; to: Position }

/** Moves a consumer's position. Returns one row if the old position was still current. */
export function advanceConsumer(tenantId: string, [move]: Move[]): Sql {
  const { consumer, from, to } = move!
  if (!from)
    return sql`insert into journal_positions (tenant_id, follower, epoch, xid, ordinal)
      values (${tenantId}, ${consumer}, ${to.epoch}, ${to.xid}::text::xid8, ${to.ordinal}) returning 1`
  return sql`update journal_positions set epoch = ${to.epoch}, xid = ${to.xid}::text::xid8, ordinal = ${to.ordinal}
    where tenant_id = ${tenantId} and follower = ${consumer} and (epoch, xid, ordinal) = ${rowOf(from)} returning 1`
}
