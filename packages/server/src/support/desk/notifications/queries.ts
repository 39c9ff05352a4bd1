import { findConsumed, isBehind } from '../../../platform/journal/heads.ts'
import type { Position } from '../../../platform/journal/positions.ts'
import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet, rowSetColumn } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable, type Order, type Table } from '../../../platform/tables/table.ts'
import type { ClockName } from '../../sla/clocks/clocks.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import {
  defaultFollow,
  defaultKinds,
  type KindSettings,
  type NotificationKind,
  type NotificationReason,
  ofEachKind,
} from './kinds.ts'

export type Notification = RowOf<
  'notifications',
  {
    kind: NotificationKind
    reason: NotificationReason
    sla_metric: ClockName | null
    included?: Record<string, object | null>
  }
>

export const notificationTable = defineTable<Notification>({
  name: 'notifications',
  columns: tables.notifications,
  fixed: ['operator_id', 'kind'],
})

/** The days for which a notification is kept after its newest fact, and the number of those of an operator. */
export const keptDays = 30
const dayMs = 86_400_000
export const mostKept = 1_000

/** The notifications of an operator that are kept still: others exist until they are swept. */
export const keptOf = (operatorId: string, now: Instant): Sql =>
  sql`operator_id = ${operatorId} and notified_at > ${now}::timestamptz - make_interval(days => ${keptDays}::integer)`

export const isKept = ({ notified_at }: Pick<Notification, 'notified_at'>, now: Instant): boolean =>
  toUnixMs(notified_at) > toUnixMs(now) - keptDays * dayMs

export const notificationOrders = {
  '-notified_at': {
    by: sql`notified_at desc, id desc`,
    after: ([at, id]: SortKey) => sql`(notified_at, id) < (${at}, ${id})`,
    key: (row: Notification): SortKey => [row.notified_at, row.id],
  },
  ...byCreation,
} as const satisfies Record<string, Order<Notification>>

type Filters = { read?: string; kind?: string; conversation_id?: string; notified_after?: Instant }

/** The conditions of a list; ids are UUIDs. */
export const meeting = ({ read, kind, conversation_id, notified_after }: Filters): Sql[] => [
  ...(read === undefined ? [] : [read === 'true' ? sql`read_at is not null` : sql`read_at is null`]),
  ...(kind === undefined ? [] : [sql`kind = any(${kind.split(',')}::text[])`]),
  ...(conversation_id === undefined ? [] : [sql`conversation_id = ${conversation_id}`]),
  ...(notified_after === undefined ? [] : [sql`notified_at > ${notified_after}::timestamptz`]),
]

/** The numbers of unread notifications of operators, by kind; no row for a kind without any. */
export const unreadOf = (
  db: Pick<Db, 'rows'>,
  tenantId: string,
  operatorIds: string[],
  now: Instant,
): Promise<{ operator_id: string; kind: NotificationKind; count: number; notified_at: Instant }[]> =>
  db.rows(sql`select operator_id, kind, count(*)::integer as count, max(notified_at) as notified_at from notifications
    where tenant_id = ${tenantId} and operator_id = any(${operatorIds}::uuid[]) and read_at is null
      and notified_at > ${now}::timestamptz - make_interval(days => ${keptDays}::integer)
    group by operator_id, kind`)

export type UnreadCount = {
  by_kind: Record<NotificationKind, number>
  notified_at: string | null
}

export const totalOf = ({ by_kind }: Pick<UnreadCount, 'by_kind'>): number =>
  Object.values(by_kind).reduce((sum, count) => sum + count, 0)

export async function countUnread(
  db: Db,
  tenantId: string,
  operatorId: string,
  now: Instant,
): Promise<UnreadCount> {
  const rows = await unreadOf(db, tenantId, [operatorId], now)
  const times = rows.map(({ notified_at }) => notified_at).toSorted()
  return {
    by_kind: { ...ofEachKind(() => 0), ...Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) },
    notified_at: times.at(-1) ?? null,
  }
}

/** A choice of notifications: all of an operator, of a conversation or of some kinds; up to a message, or to a time. */
export type Reading = {
  operatorId: string
  conversationId: string | null
  kinds: NotificationKind[] | null
  upToSequence: number | null
  upTo: Instant | null
}

/** The unread notifications that a reading is about. */
export const unreadWithin = (
  db: Db,
  { tenantId, now }: { tenantId: string; now: Instant },
  { operatorId, conversationId, kinds, upToSequence, upTo }: Reading,
): Promise<Notification[]> =>
  notificationTable.list(
    db,
    tenantId,
    [
      keptOf(operatorId, now),
      sql`read_at is null`,
      ...(conversationId === null ? [] : [sql`conversation_id = ${conversationId}`]),
      ...(kinds === null ? [] : [sql`kind = any(${kinds}::text[])`]),
      ...(upToSequence === null ? [] : [sql`coalesce(message_sequence, 0) <= ${upToSequence}::integer`]),
      ...(upTo === null ? [] : [sql`notified_at <= ${upTo}`]),
    ],
    notificationOrders['-notified_at'],
    { limit: mostKept * 2, after: null },
    { slow: false },
  )

/** A reading while facts up to `position` may not have been noticed. */
export type PendingReading = Reading & { position: Position; readAt: Instant }

const readings = rowSet<PendingReading>({
  id: ['uuid', ({ readAt }) => newUuid(Date.parse(readAt))],
  operator_id: ['uuid', ({ operatorId }) => operatorId],
  epoch: ['integer', ({ position }) => position.epoch],
  position: ['text', ({ position }) => String(position.position)],
  ordinal: ['integer', ({ position }) => position.ordinal],
  read_at: ['timestamptz', ({ readAt }) => readAt],
  conversation_id: ['uuid', ({ conversationId }) => conversationId],
  kinds: ['text[]', ({ kinds }) => kinds ?? []],
  up_to_sequence: ['integer', ({ upToSequence }) => upToSequence],
  up_to: ['timestamptz', ({ upTo }) => upTo],
})

export const insertReadings = (tenantId: string, pending: PendingReading[]): Sql =>
  sql`insert into notification_readings (tenant_id, id, operator_id, epoch, position, ordinal, read_at,
      conversation_id, kinds, up_to_sequence, up_to)
    select ${tenantId}::uuid, id, operator_id, epoch, position::xid8, ordinal, read_at, conversation_id,
      ${rowSetColumn('kinds', 'text[]')}, up_to_sequence, up_to
    from ${readings(pending)}`

/** The name of the consumer that makes notifications. */
export const noticing = 'notifications'

/** The present end of the journal, and how far events have been noticed; null if all have. */
export async function unnoticed(
  db: Db,
  tenantId: string,
): Promise<{ end: Position; at: Position | null } | null> {
  const found = await findConsumed(db, tenantId, noticing)
  return found && isBehind(found) ? { end: found.end, at: found.position } : null
}

/** Deletes all of an operator. */
export const deleteNotificationsOf = (tenantId: string, operatorId: string): Sql =>
  sql`delete from notifications where tenant_id = ${tenantId} and operator_id = ${operatorId}`

export const deleteNotificationsAbout = (tenantId: string, conversationIds: string[]): Sql =>
  sql`delete from notifications where tenant_id = ${tenantId} and conversation_id = any(${conversationIds}::uuid[])`

/**
 * Deletes the oldest of operators that have more than they keep.
 * @param coming the number that each gets by the same statement
 * @param changed the ids of those that the same statement writes
 */
export const trimNotifications = (
  tenantId: string,
  coming: [operatorId: string, count: number][],
  changed: string[],
): Sql =>
  sql`delete from notifications where tenant_id = ${tenantId} and id <> all(${changed}::uuid[]) and id in (
    select old.id from unnest(${coming.map(([id]) => id)}::uuid[], ${coming.map(([, count]) => count)}::integer[])
        as trimmed (operator_id, coming)
      cross join lateral (select one.id from notifications one
        where one.tenant_id = ${tenantId} and one.operator_id = trimmed.operator_id
        order by one.notified_at desc, one.id desc offset greatest(0, ${mostKept}::integer - trimmed.coming)) old)`

/** Environments with notifications that are kept no longer. */
export const environmentsWithExpiredNotifications = async (db: Db, realNowMs: number): Promise<string[]> => {
  const rows = await db.slowRows<{ id: string }>(sql`select h.tenant_id as id
    from journal_heads h join environments e on e.id = h.tenant_id
    where exists (select 1 from notifications n where n.tenant_id = h.tenant_id
      and n.notified_at <= to_timestamp((${realNowMs}::bigint + e.clock_offset_ms) / 1000.0) - make_interval(days => ${keptDays}::integer))`)
  return rows.map(({ id }) => id)
}

export const sweepNotifications = async (
  db: Db,
  tenantId: string,
  before: Instant,
  limit: number,
): Promise<number> =>
  (
    await db.write(sql`delete from notifications where tenant_id = ${tenantId} and id in (
      select id from notifications old where old.tenant_id = ${tenantId} and old.notified_at <= ${before}
      order by old.notified_at limit ${limit}) returning 1`)
  ).length

/** `is_set` is false for the defaults of an operator who has set nothing; `is_archived` is of the operator. */
export type Preferences = RowOf<
  'notification_preferences',
  {
    kinds: Record<NotificationKind, KindSettings>
    follow: { on_mention: boolean; on_reply: boolean }
  }
> & { is_set: boolean; is_archived?: boolean }

/** The preferences of operators, set or not; none of operators who do not exist. */
export const findPreferences = async (
  db: Pick<Db, 'rows'>,
  tenantId: string,
  operatorIds: string[],
): Promise<Preferences[]> => {
  type Found = Omit<Preferences, 'kinds' | 'follow'> & {
    kinds: Preferences['kinds'] | null
    follow: Preferences['follow'] | null
  }
  const rows = await db.rows<Found>(sql`select o.id, coalesce(p.created_at, o.created_at) as created_at,
      coalesce(p.updated_at, o.created_at) as updated_at, coalesce(p.version, 1) as version, p.kinds, p.follow,
      p.id is not null as is_set, o.archived as is_archived
    from operators o left join notification_preferences p on p.tenant_id = ${tenantId} and p.id = o.id
    where o.tenant_id = ${tenantId} and o.id = any(${operatorIds}::uuid[])`)
  return rows.map(({ kinds, follow, ...row }) => ({
    ...row,
    kinds: { ...defaultKinds, ...kinds },
    follow: { ...defaultFollow, ...follow },
  }))
}

const preferenceRows = rowSet<Preferences>({
  id: ['uuid', ({ id }) => id],
  created_at: ['timestamptz', (row) => row.created_at],
  updated_at: ['timestamptz', (row) => row.updated_at],
  version: ['integer', ({ version }) => version],
  kinds: ['json', ({ kinds }) => JSON.stringify(kinds)],
  follow: ['json', ({ follow }) => JSON.stringify(follow)],
})

const unused = (): never => {
  throw new Error('Preferences are changed, neither created nor removed')
}

/** The first change inserts the row; nothing has set version 1. */
export const preferenceTable: Pick<
  Table<Preferences>,
  'find' | 'findMany' | 'insert' | 'update' | 'unchanged' | 'remove'
> = {
  find: async (db, tenantId, id) => (await findPreferences(db, tenantId, [id]))[0] ?? null,
  findMany: findPreferences,
  insert: unused,
  remove: unused,
  update: (tenantId, rows) =>
    sql`insert into notification_preferences (tenant_id, id, created_at, updated_at, version, kinds, follow)
      select ${tenantId}::uuid, id, created_at, updated_at, version, kinds, follow from ${preferenceRows(rows)}
      on conflict (tenant_id, id) do update set updated_at = excluded.updated_at, version = excluded.version,
        kinds = excluded.kinds, follow = excluded.follow
      where notification_preferences.version = excluded.version - 1 returning 1`,
  unchanged: (tenantId, rows) =>
    sql`select 1 from operators o left join notification_preferences p on p.tenant_id = ${tenantId} and p.id = o.id
      where o.tenant_id = ${tenantId} and o.id = any(${rows.map(({ id }) => id)}::uuid[])
        and coalesce(p.version, 1) = ${rows[0]!.version}`,
}

export const deletePreferences = (tenantId: string, operatorId: string): Sql =>
  sql`delete from notification_preferences where tenant_id = ${tenantId} and id = ${operatorId}`

/** The unread notification of the operator, conversation and kind of another one. */
export const findUnread = (
  db: Db,
  tenantId: string,
  { operator_id, conversation_id, kind }: Notification,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from notifications where tenant_id = ${tenantId} and operator_id = ${operator_id}
    and conversation_id = ${conversation_id} and kind = ${kind} and read_at is null`)
