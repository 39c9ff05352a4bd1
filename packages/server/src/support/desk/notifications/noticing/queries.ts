import { type Lag, readLag } from '../../../../platform/journal/lag.ts'
import { after, inOrder, type Position, unreadEvents, upTo } from '../../../../platform/journal/positions.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { stateOf } from '../../../../platform/postgres/process-state.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { StoredFollower } from '../../conversations/followers/queries.ts'
import {
  type Notification,
  noticing,
  notificationTable,
  type PendingReading,
  type Preferences,
} from '../queries.ts'

const hasOperators = sql`exists (select 1 from operators o where o.tenant_id = h.tenant_id and not o.archived)`

/** The events that the consumer has not read, of environments with somebody to notify. */
const unnoticed = (most: number): Sql => sql`${unreadEvents(noticing, most)} and ${hasOperators}`

export async function environmentsToNotice(db: Db): Promise<string[]> {
  const rows = await db.slowRows<{ id: string }>(sql`select h.tenant_id as id from ${unnoticed(1)}`)
  return rows.map(({ id }) => id)
}

/** The lag of the consumer. @see readLag */
export const noticingLag = (db: Pick<Db, 'rows'>, realNowMs: number): Promise<Lag> =>
  readLag(db, unnoticed, realNowMs)

const newKnown = () => new Set<string>()

/** Is there an operator whom something could notify? An environment that has had one is not asked again. */
export async function hasAnyOperator(db: Db, tenantId: string): Promise<boolean> {
  const known = stateOf(db, newKnown)
  if (known.has(tenantId)) return true
  const found = await db.maybe(
    sql`select 1 from operators where tenant_id = ${tenantId} and not archived limit 1`,
  )
  if (found) known.add(tenantId)
  return found !== null
}

/** An event with what notifications need of it. Ids in JSON are TypeIDs. */
export type EventToNotice = Position & {
  id: string
  type: string
  created_at: Instant
  stream_id: string
  resource_id: string
  actor_type: string
  actor_id: string | null
  operator_id: string | null
  request_id: string | null
  is_imported: boolean
  /** Null for an event that is no fact, and of which nothing else is read. */
  object: NoticedObject | null
  /** The JSON of former values, each null if it did not change. */
  former_assignee: string | null
  former_department: string | null
  former_mentions: string[] | null
  /** The former clocks of a warning or breach. */
  former: { sla?: ShownClocks | null } | null
  /** Those that were set. */
  preferences: Pick<Preferences, 'kinds' | 'follow'> | null
}

export type ShownClocks = Record<string, { warned_at?: string | null; breached_at?: string | null } | null>

export type NoticedObject = {
  author_side: string | null
  operator_id: string | null
  visibility: string | null
  sequence: number | null
  mentions: string[] | null
  assignee_id: string | null
  department_id: string | null
  status: string | null
  follow_up_of_id: string | null
  merged_into_id: string | null
  source: StoredFollower['source'] | null
  since: Instant | null
  sla: ShownClocks | null
}

const isFact = sql`(events.resource_type = 'follower' or events.resource_type = 'conversation' and events.type not in ('conversation.imported', 'conversation.read', 'conversation.tags_changed', 'conversation.held', 'conversation.resumed')
  or events.type in ('message.created', 'message.updated', 'notification_preferences.updated', 'operator.deleted'))`

/** In bytes. Node reads a small object in a fraction of the time that PostgreSQL needs to select its members. */
const mostReadWhole = 4_096

/** The next events of a range. Long texts of messages are not read. */
export async function eventsToNotice(
  db: Db,
  tenantId: string,
  { from, end }: { from: Position | null; end: Position },
  limit: number,
): Promise<EventToNotice[]> {
  const upToEnd = end.position === 0 ? sql`` : upTo(end)
  const rows = await db.rows<
    Omit<EventToNotice, 'object'> & { object: Partial<NoticedObject> | null }
  >(sql`select epoch, position, ordinal, id, type, created_at, stream_id, resource_id,
      actor_type, actor_id, operator_id, request_id, is_imported,
      case when not is_fact then null when octet_length(object::text) <= ${mostReadWhole}::integer then object
        else (select row_to_json(o) from json_to_record(object) as o (author_side text, operator_id text,
          visibility text, sequence integer, mentions json, assignee_id text, department_id text, status text,
          follow_up_of_id text, merged_into_id text, source text, since text, sla json)) end as object,
      case when is_fact then (previous -> 'assignee_id')::text end as former_assignee,
      case when is_fact then (previous -> 'department_id')::text end as former_department,
      case when type = 'message.updated' then previous -> 'mentions' end as former_mentions,
      case when type in ('conversation.sla_warning', 'conversation.sla_breached') then previous end as former,
      case when type = 'notification_preferences.updated' then object end as preferences
    from (select events.*, ${isFact} as is_fact, audited is not null and audited like 'imported %' as is_imported
      from events where tenant_id = ${tenantId}${after(from)}${upToEnd}${inOrder} ${limitTo(limit)}) events${inOrder}`)
  return rows.slice(0, limit).map((row) => ({ ...row, object: row.object && noticedOf(row.object) }))
}

const noticedOf = (object: Partial<NoticedObject>): NoticedObject => ({
  author_side: object.author_side ?? null,
  operator_id: object.operator_id ?? null,
  visibility: object.visibility ?? null,
  sequence: object.sequence ?? null,
  mentions: object.mentions ?? null,
  assignee_id: object.assignee_id ?? null,
  department_id: object.department_id ?? null,
  status: object.status ?? null,
  follow_up_of_id: object.follow_up_of_id ?? null,
  merged_into_id: object.merged_into_id ?? null,
  source: object.source ?? null,
  since: object.since ?? null,
  sla: object.sla ?? null,
})

/** A conversation as it is now. */
export type PresentConversation = { id: string; assignee_id: string | null; merged_into_id: string | null }

export const presentConversations = (
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<PresentConversation[]> =>
  db.rows(sql`select id, assignee_id, merged_into_id from conversations
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`)

/** A change of an assignee or follower. */
export type LaterChange = {
  stream_id: string
  type: string
  /** The former assignee as JSON; null if it did not change. */
  former_assignee: string | null
  operator_id: string | null
  source: StoredFollower['source'] | null
  since: Instant | null
}

/** Changes of the assignees and followers of some conversations after a position, latest first. */
export const laterChanges = (
  db: Db,
  tenantId: string,
  ids: string[],
  from: Position | null,
): Promise<LaterChange[]> =>
  db.rows(sql`select stream_id, type, (previous -> 'assignee_id')::text as former_assignee,
      object ->> 'operator_id' as operator_id, object ->> 'source' as source, object ->> 'since' as since
    from events where tenant_id = ${tenantId} and stream_id = any(${ids}::uuid[])${after(from)}
      and (resource_type = 'follower' or resource_type = 'conversation' and previous -> 'assignee_id' is not null)
    order by epoch desc, position desc, ordinal desc`)

/** Former preferences of operators after a position, latest first. */
export const laterPreferences = (
  db: Db,
  tenantId: string,
  operatorIds: string[],
  from: Position | null,
): Promise<{ resource_id: string; previous: Partial<Pick<Preferences, 'kinds' | 'follow'>> }[]> =>
  db.rows(sql`select resource_id, previous from events
    where tenant_id = ${tenantId} and stream_id = any(${operatorIds}::uuid[])${after(from)}
      and type = 'notification_preferences.updated' order by epoch desc, position desc, ordinal desc`)

/** The members of departments who are online, at most `most` of each, by their ids. */
export const onlineMembers = (
  db: Db,
  tenantId: string,
  departmentIds: string[],
  most: number,
): Promise<{ department_id: string; operator_id: string }[]> =>
  db.rows(sql`select department_id, operator_id from (
      select m.department_id, m.operator_id, row_number() over (partition by m.department_id order by m.operator_id) as place
      from department_members m join operators o on o.tenant_id = ${tenantId} and o.id = m.operator_id
      where m.tenant_id = ${tenantId} and m.department_id = any(${departmentIds}::uuid[])
        and o.status = 'online' and not o.archived) members
    where place <= ${most} order by operator_id`)

/** All unread notifications about some conversations, and the others as well of some of them. */
export const notificationsAbout = (
  db: Db,
  tenantId: string,
  ids: string[],
  mergedIds: string[],
): Promise<Notification[]> =>
  db.rows(sql`select ${notificationTable.columns(tenantId)} from notifications
    where notifications.tenant_id = ${tenantId} and notifications.conversation_id = any(${ids}::uuid[])
      and (notifications.read_at is null or notifications.conversation_id = any(${mergedIds}::uuid[]))
    order by notifications.notified_at`)

/** Readings of facts that had not been noticed, in their order. */
export async function pendingReadings(db: Db, tenantId: string): Promise<PendingReading[]> {
  type Row = Position & Omit<PendingReading, 'position'>
  const rows = await db.rows<Row>(sql`select epoch, position, ordinal, operator_id as "operatorId",
      conversation_id as "conversationId", nullif(kinds, '{}') as kinds, up_to_sequence as "upToSequence", up_to as "upTo", read_at as "readAt"
    from notification_readings where tenant_id = ${tenantId} order by epoch, position, ordinal`)
  return rows.map(({ epoch, position, ordinal, ...rest }) => ({
    ...rest,
    position: { epoch, position, ordinal },
  }))
}

/** Deletes readings of facts that have all been noticed. */
export const deleteReadings = (tenantId: string, { epoch, position, ordinal }: Position): Sql =>
  sql`delete from notification_readings where tenant_id = ${tenantId}
    and (epoch, position, ordinal) <= (${epoch}::integer, ${position}::text::xid8, ${ordinal}::integer)`
