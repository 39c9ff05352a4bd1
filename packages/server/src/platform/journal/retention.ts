import type { Instant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { everyEnvironment } from './every-environment.ts'
import { after, beginning, inOrder, type Position, rowOf, upTo } from './positions.ts'

/*
 * Retention of events. After it only the audit log needs an event, and only the changed fields of its snapshot. The
 * row remains: the audit log is the journal.
 */

/** A consumer's position in an environment; null before its start. */
export const consumedUpTo = (db: Db, tenantId: string, consumer: string): Promise<Position | null> =>
  db.maybe(sql`select epoch, position, ordinal from journal_positions
    where tenant_id = ${tenantId} and follower = ${consumer}`)

/** Returns the environments whose first event after the floor is older than its retention period. */
export async function environmentsWithExpiredEvents(db: Db, realNowMs: number): Promise<string[]> {
  const rows = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    left join journal_floors f on f.tenant_id = h.tenant_id
    cross join lateral (select events.created_at from events where events.tenant_id = h.tenant_id and (events.epoch, events.position, events.ordinal) >
      (coalesce(f.epoch, ${beginning.epoch}::integer), coalesce(f.position, '0'), coalesce(f.ordinal, 0))${inOrder} limit 1) oldest
    where oldest.created_at < to_timestamp((${realNowMs}::bigint + e.clock_offset_ms) / 1000.0 - e.event_retention_days * 86400)`)
  return rows.map(({ id }) => id)
}

/** The next events between two positions. */
export const nextEvents = (
  db: Db,
  tenantId: string,
  from: Position | null,
  through: Position,
  limit: number,
): Promise<(Position & { created_at: Instant })[]> =>
  db.slowRows(sql`select epoch, position, ordinal, created_at from events
    where tenant_id = ${tenantId}${after(from)}${upTo(through)}${inOrder} limit ${limit}`)

/** The maximum number of events that expire at once. */
export const maxForgotten = 500

/** The next events to expire: after `from`, up to `to`. */
export type Forgotten = { from: Position | null; to: Position }

/** Moves the floor of the feed. Returns one row if the old floor was still current. */
export function moveFloor(tenantId: string, [forgotten]: Forgotten[]): Sql {
  const { from, to } = forgotten!
  if (!from)
    return sql`insert into journal_floors (tenant_id, epoch, position, ordinal)
      values (${tenantId}, ${to.epoch}, ${to.position}::text::xid8, ${to.ordinal}) returning 1`
  return sql`update journal_floors set epoch = ${to.epoch}, position = ${to.position}::text::xid8, ordinal = ${to.ordinal}
    where tenant_id = ${tenantId} and (epoch, position, ordinal) = ${rowOf(from)} returning 1`
}

/**
 * Reduces each snapshot to the fields that `previous` or `audited` names; their names need no escapes. The audit log
 * shows the same before and after.
 */
export function thinEvents(tenantId: string, [forgotten]: Forgotten[]): Sql {
  const { from, to } = forgotten!
  return sql`update events set object = (
      select ('{' || coalesce(string_agg('"' || field.key || '":' || field.value::text, ','), '') || '}')::json
      from json_each(events.object) field
      where field.key in (select json_object_keys(events.previous))
        or field.key = any(string_to_array(split_part(events.audited, ' ', 2), ','))), related = null
    where tenant_id = ${tenantId}${after(from)}${upTo(to)}`
}
