import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import { type Instant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

/*
 * An operator has read a conversation up to a mark. Only marks that requests have set are stored. An operator's own
 * messages move the mark, and what was sent before the operator was made is read: both are derived when a mark is read,
 * so that writing a message costs nothing for it.
 */

/** Unread messages are counted up to this number. */
export const maxUnread = 100

/** After this time, a closed conversation is read for everybody. */
const readAfterDays = 30

const endOf = (now: Instant): Instant => toInstant(toUnixMs(now) - readAfterDays * 86_400_000)

/** True if a conversation has been closed for so long that nobody has anything to read there. */
export const isReadByAll = ({ closed_at }: { closed_at: Instant | null }, now: Instant): boolean =>
  closed_at !== null && closed_at <= endOf(now)

/** The mark of the operator `reader`, whose row is `seen`, if there is one. It walks back to the mark at most. */
const markOf = (tenantId: string, conversationId: Sql): Sql =>
  sql`greatest(coalesce(seen.up_to_sequence, 0), coalesce((select passed.sequence from messages passed
    where passed.tenant_id = ${tenantId} and passed.conversation_id = ${conversationId}
      and passed.sequence > coalesce(seen.own_after, 0)
      and (passed.operator_id = reader.id or (seen.operator_id is null and passed.created_at < reader.created_at))
    order by passed.sequence desc limit 1), 0))`

/** The messages `one` of a conversation that the operator `reader` has to read, after a mark. */
const toRead = (tenantId: string, conversationId: Sql, mark: Sql): Sql =>
  sql`messages one where one.tenant_id = ${tenantId} and one.conversation_id = ${conversationId}
    and one.sequence > ${mark} and one.author_side <> 'system' and one.operator_id is distinct from reader.id`

const joinSeen = (tenantId: string, conversationId: Sql): Sql =>
  sql`left join read_states seen on seen.tenant_id = ${tenantId} and seen.conversation_id = ${conversationId}
      and seen.operator_id = reader.id
    cross join lateral (select ${markOf(tenantId, conversationId)} as up_to) mark`

/** Condition for a row of `conversations`: an operator who meets a condition has something to read there. */
export const isUnreadBy = (reader: (id: Sql) => Sql, tenantId: string, now: Instant): Sql => {
  const id = sql`conversations.id`
  return sql`(conversations.closed_at is null or conversations.closed_at > ${endOf(now)}::timestamptz)
    and exists (select 1 from operators reader ${joinSeen(tenantId, id)}
      where reader.tenant_id = ${tenantId} and ${reader(sql`reader.id`)} and conversations.message_count > mark.up_to
        and exists (select 1 from ${toRead(tenantId, id, sql`mark.up_to`)}))`
}

/** The conversations in which anybody may have something to read. A conversation is updated when it is closed. */
export const perhapsUnread = (tenantId: string, now: Instant): Sql =>
  sql`select id from conversations where tenant_id = ${tenantId}
      and status in ('new', 'open', 'pending', 'on_hold', 'resolved')
    union all select id from conversations where tenant_id = ${tenantId} and status = 'closed'
      and updated_at > ${endOf(now)}::timestamptz`

export type ReadState = {
  conversation_id: string
  operator_id: string
  up_to_sequence: number
  unread_count: number
}

/** The states of an operator in some conversations, in any order. */
export const readStatesIn = (
  db: Db,
  tenantId: string,
  operatorId: string,
  conversationIds: string[],
): Promise<ReadState[]> => {
  const id = sql`wanted.id`
  const unread = sql`select 1 from ${toRead(tenantId, id, sql`mark.up_to`)} limit ${maxUnread}`
  return db.rows(sql`select wanted.id as conversation_id, reader.id as operator_id, mark.up_to as up_to_sequence,
      (select count(*) from (${unread}) unread)::integer as unread_count
    from unnest(${conversationIds}::uuid[]) wanted (id)
      join operators reader on reader.tenant_id = ${tenantId} and reader.id = ${operatorId}
      ${joinSeen(tenantId, id)}`)
}

/** A mark, and the row of it that is stored; null without one. */
export type Mark = { up_to: number; stored: Pick<StoredMark, 'up_to_sequence' | 'own_after'> | null }

export async function findMark(
  db: Db,
  tenantId: string,
  operatorId: string,
  conversationId: string,
): Promise<Mark> {
  type Row = { up_to: number; up_to_sequence: number | null; own_after: number }
  const [row] = await db.rows<Row>(sql`select mark.up_to, seen.up_to_sequence, seen.own_after
    from unnest(${[conversationId]}::uuid[]) wanted (id)
      join operators reader on reader.tenant_id = ${tenantId} and reader.id = ${operatorId}
      ${joinSeen(tenantId, sql`wanted.id`)}`)
  const { up_to = 0, up_to_sequence = null, own_after = 0 } = row ?? {}
  return { up_to, stored: up_to_sequence === null ? null : { up_to_sequence, own_after } }
}

/** The messages that an operator has to read after a mark, up to `maxUnread`; the sequence of the newest one. */
export async function unreadAfter(
  db: Db,
  tenantId: string,
  operatorId: string,
  conversationId: string,
  mark: number,
): Promise<{ count: number; newest: number | null }> {
  const found = toRead(tenantId, sql`${conversationId}`, sql`${mark}`)
  const reader = sql`(select ${operatorId}::uuid as id) reader`
  const [row] = await db.rows<{ count: number; newest: number | null }>(sql`select
      (select count(*) from (select 1 from ${found} limit ${maxUnread}) unread)::integer as count,
      (select one.sequence from ${found} order by one.sequence desc limit 1) as newest
    from ${reader}`)
  return row!
}

export type StoredMark = {
  conversation_id: string
  operator_id: string
  up_to_sequence: number
  own_after: number
  marked_at: Instant
}

/** @param was the row that is replaced */
export type MovedMark = StoredMark & { was: Pick<StoredMark, 'up_to_sequence' | 'own_after'> }

const newMarks = rowSet<StoredMark>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  up_to_sequence: ['integer', ({ up_to_sequence }) => up_to_sequence],
  own_after: ['integer', ({ own_after }) => own_after],
  marked_at: ['timestamptz', ({ marked_at }) => marked_at],
})

const movedMarks = rowSet<MovedMark>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  up_to_sequence: ['integer', ({ up_to_sequence }) => up_to_sequence],
  own_after: ['integer', ({ own_after }) => own_after],
  marked_at: ['timestamptz', ({ marked_at }) => marked_at],
  was_up_to: ['integer', ({ was }) => was.up_to_sequence],
  was_own_after: ['integer', ({ was }) => was.own_after],
})

/** Returns no row for a mark that another request was faster to set. */
export const insertMarks = (tenantId: string, marks: StoredMark[]): Sql =>
  sql`insert into read_states (tenant_id, conversation_id, operator_id, up_to_sequence, own_after, marked_at)
    select ${tenantId}::uuid, conversation_id, operator_id, up_to_sequence, own_after, marked_at from ${newMarks(marks)}
    on conflict (tenant_id, conversation_id, operator_id) do nothing returning 1`

/** As `insertMarks`, for marks that have a row. */
export const moveMarks = (tenantId: string, marks: MovedMark[]): Sql =>
  sql`update read_states set up_to_sequence = v.up_to_sequence, own_after = v.own_after, marked_at = v.marked_at
    from ${movedMarks(marks)}
    where read_states.tenant_id = ${tenantId} and read_states.conversation_id = v.conversation_id
      and read_states.operator_id = v.operator_id and read_states.up_to_sequence = v.was_up_to
      and read_states.own_after = v.was_own_after returning 1`

export const deleteMarksOfOperator = (tenantId: string, operatorId: string): Sql =>
  sql`delete from read_states where tenant_id = ${tenantId} and operator_id = ${operatorId}`

/**
 * Looks at up to `limit` marks that are older than a closed conversation stays unread, and returns their number. Those
 * of conversations that are read by all, or gone, are deleted; the others are looked at again after the same time.
 */
export async function sweepReadStates(
  db: Db,
  tenantId: string,
  now: Instant,
  limit: number,
): Promise<number> {
  const [row] = await db.write<{ looked_at: number }>(sql`with old as materialized (
      select conversation_id, operator_id, exists (select 1 from conversations c where c.tenant_id = ${tenantId}
        and c.id = conversation_id and (c.closed_at is null or c.closed_at > ${endOf(now)}::timestamptz)) as is_needed
      from read_states where tenant_id = ${tenantId} and marked_at <= ${endOf(now)}::timestamptz
      order by marked_at limit ${limit}),
    gone as (delete from read_states using old where read_states.tenant_id = ${tenantId} and not old.is_needed
      and read_states.conversation_id = old.conversation_id and read_states.operator_id = old.operator_id returning 1),
    kept as (update read_states set marked_at = ${now} from old where read_states.tenant_id = ${tenantId}
      and old.is_needed and read_states.conversation_id = old.conversation_id
      and read_states.operator_id = old.operator_id returning 1)
    select count(*) as looked_at from old`)
  return row!.looked_at
}

/** The environments with marks that are older than a closed conversation stays unread, by their own clock. */
export async function environmentsWithOldReadStates(db: Db, realNowMs: number): Promise<string[]> {
  const found = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select marked_at from read_states
      where read_states.tenant_id = h.tenant_id order by marked_at limit 1) oldest
    where extract(epoch from oldest.marked_at) * 1000
      < ${realNowMs}::bigint + e.clock_offset_ms - ${readAfterDays * 86_400_000}::bigint`)
  return found.map(({ id }) => id)
}
