import type { SortKey } from '../kernel/page.ts'
import type { Db } from '../postgres/database.ts'
import { none, type Sql, sql } from '../postgres/sql.ts'
import { everyEnvironment } from './every-environment.ts'

/**
 * A place in the journal of an environment: that of an event, or between events. `position` is in microseconds of Unix
 * time: a statement raises the journal's head to at least the database's clock. Events written before migration 0032
 * lie in earlier epochs; their positions are transaction ids, and their ordinals the places within a transaction.
 */
export type Position = { epoch: number; position: number; ordinal: number }

/** The greatest integer of PostgreSQL. */
const maxInteger = 2_147_483_647
/** The epoch of all events with positions of their own, whose ordinal is 0. */
export const presentEpoch = maxInteger

/** The form of a position in cursors, where `position` is text. */
export const toSortKey = ({ epoch, position, ordinal }: Position): SortKey => [
  epoch,
  String(position),
  ordinal,
]

export const fromSortKey = ([epoch, position, ordinal]: SortKey): Position => ({
  epoch: epoch as number,
  position: Number(position),
  ordinal: ordinal as number,
})

export const positionOf = ({ epoch, position, ordinal }: Position): Position => ({ epoch, position, ordinal })

/** Before all events. */
export const beginning: Position = { epoch: -maxInteger, position: 0, ordinal: 0 }

/** After all events. */
export const highest: Position = {
  epoch: presentEpoch,
  position: Number.MAX_SAFE_INTEGER,
  ordinal: maxInteger,
}

/** Before all events of an epoch. */
export const startOfEpoch = ({ epoch }: Position): Position => ({ epoch, position: 0, ordinal: -1 })

/** The position of events at a time if the clocks agree; null for an epoch whose positions are no times. */
export const atTime = ({ epoch }: Position, unixMs: number): number | null =>
  epoch === presentEpoch ? unixMs * 1_000 : null

/** After every event with the same position. */
export const lastOrdinal = maxInteger

/** The later of two positions. */
export const laterOf = (one: Position, other: Position | null): Position =>
  other && isBefore(one, other) ? other : one

/** After an event and before any possible next one. */
export const justAfter = ({ epoch, position, ordinal }: Position): Position => ({
  epoch,
  position,
  ordinal: ordinal + 1,
})

export function isBefore(one: Position, other: Position): boolean {
  if (one.epoch !== other.epoch) return one.epoch < other.epoch
  return one.position === other.position ? one.ordinal < other.ordinal : one.position < other.position
}

/** A position as a row that is compared with the columns of `events`. */
export const rowOf = ({ epoch, position, ordinal }: Position): Sql =>
  sql`(${epoch}::integer, ${position}::text::xid8, ${ordinal}::integer)`

/** Condition: rows of `events` after a position. A row comparison is one index range scan. */
export const after = (position: Position | null): Sql =>
  position === null ? none : sql` and (events.epoch, events.position, events.ordinal) > ${rowOf(position)}`

/** Condition: rows of `events` written by a transaction that began at a time of the database's clock, or later. */
export const afterStart = (time: Sql): Sql =>
  sql` and (events.epoch, events.position, events.ordinal) > (${presentEpoch}::integer, (extract(epoch from ${time}) * 1000000)::bigint::text::xid8, 0)`

/** Condition: rows of `events` before a position. */
export const before = (position: Position | null): Sql =>
  position === null ? none : sql` and (events.epoch, events.position, events.ordinal) < ${rowOf(position)}`

/** Condition: rows of `events` up to a position, inclusive. */
export const upTo = (position: Position): Sql =>
  sql` and (events.epoch, events.position, events.ordinal) <= ${rowOf(position)}`

/** Condition: rows of `events` after the floor of the feed. */
export const afterFloor = (tenantId: string): Sql =>
  sql` and not exists (select 1 from journal_floors floor where floor.tenant_id = ${tenantId}
    and (floor.epoch, floor.position, floor.ordinal) >= (events.epoch, events.position, events.ordinal))`

export const journalOrder: Sql = sql`events.epoch, events.position, events.ordinal`
export const inOrder: Sql = sql` order by ${journalOrder}`

export const newestFirst: Sql = sql` order by events.epoch desc, events.position desc, events.ordinal desc`

/** The floor of the feed, the last event that retention has removed from it; null if there is none. */
export const findFloor = (db: Db, tenantId: string): Promise<Position | null> =>
  db.maybe(sql`select epoch, position, ordinal from journal_floors where tenant_id = ${tenantId}`)

/**
 * The environments with events that a consumer has not processed, by one index lookup for each that may have some.
 * It uses `coalesce` instead of `or`, and an order: otherwise PostgreSQL reads the whole table if there is nothing to
 * find.
 */
export async function environmentsWithLag(db: Db, consumer: string): Promise<string[]> {
  const rows = await db.slowRows<{ id: string }>(sql`select e.id from ${unreadEvents(consumer, 1)}`)
  return rows.map(({ id }) => id)
}

/** The first events (`news`) of each environment (`e`) that a consumer has not processed. */
export const unreadEvents = (consumer: string, most: number): Sql =>
  sql`${everyEnvironment}
    left join journal_positions p on p.tenant_id = h.tenant_id and p.follower = ${consumer}
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(p.epoch, 0), coalesce(p.position, '0'), coalesce(p.ordinal, 0))${inOrder} limit ${most}) news
    where ${mayBeBehind}`

/** Condition: a journal (`h`) may have events after a position (`p`). A head without a position tells nothing. */
export const mayBeBehind: Sql = sql`(h.position = 0 or p.epoch is distinct from ${presentEpoch}::integer or p.position < h.position::text::xid8)`

/**
 * Moves a consumer's position by nothing that it would read, in the present epoch. Of a batch of the consumer and the
 * change that does so, the one that commits last runs again. Returns one row if the position was still current.
 */
export function touchConsumer(tenantId: string, [touched]: { consumer: string; at: Position | null }[]): Sql {
  const { consumer, at } = touched!
  if (!at)
    return sql`insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      values (${tenantId}, ${consumer}, 0, '0', 0) returning 1`
  return sql`update journal_positions set ordinal = ordinal + 1
    where tenant_id = ${tenantId} and follower = ${consumer} and (epoch, position, ordinal) = ${rowOf(at)} returning 1`
}

export type Move = { consumer: string; from: Position | null; to: Position }

/** Moves a consumer's position. Returns one row if the old position was still current. */
export function advanceConsumer(tenantId: string, [move]: Move[]): Sql {
  const { consumer, from, to } = move!
  if (!from)
    return sql`insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      values (${tenantId}, ${consumer}, ${to.epoch}, ${to.position}::text::xid8, ${to.ordinal}) returning 1`
  return sql`update journal_positions set epoch = ${to.epoch}, position = ${to.position}::text::xid8, ordinal = ${to.ordinal}
    where tenant_id = ${tenantId} and follower = ${consumer} and (epoch, position, ordinal) = ${rowOf(from)} returning 1`
}
