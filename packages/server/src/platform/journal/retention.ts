import type { Instant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import { after, inOrder, type Position, rowOf, upTo } from './positions.ts'

/*
 * Retention of events. After it only the audit log needs an event, and only the changed fields of its snapshot. The
 * row remains: the audit log is the journal.
 */

/** A consumer's position in an environment; null before its start. */
export const consumedUpTo = (db: Db, tenantId: string, consumer: string): Promise<Position | null> =>
  db.maybe(sql`select epoch, position, ordinal from journal_positions
    where tenant_id = ${tenantId} and follower = ${consumer}`)

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
 * Reduces each snapshot to the fields that `previous` names; their names need no escapes. The audit log shows the
 * same before and after.
 */
export function thinEvents(tenantId: string, [forgotten]: Forgotten[]): Sql {
  const { from, to } = forgotten!
  return sql`update events set object = (
      select ('{' || coalesce(string_agg('"' || field.key || '":' || field.value::text, ','), '') || '}')::json
      from json_each(events.object) field
      where field.key in (select json_object_keys(events.previous)))
    where tenant_id = ${tenantId}${after(from)}${upTo(to)}`
}
