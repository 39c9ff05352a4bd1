import type { Instant } from '../../../../platform/kernel/clock.ts'
import { firstUuid, firstUuidAt, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import { conversationsTagged, idsOfTagNamed } from '../../../catalogue/tags/queries.ts'
import { type Status, statuses, statusesWaitingOn, type WaitingOn } from '../lifecycle.ts'
import type { Conversation } from '../queries.ts'

export type ConversationFilter = {
  status?: Status[]
  external_user_id?: string
  priority?: string
  channel?: string
  waiting_on?: WaitingOn
  /** Null selects conversations without an assignee. */
  assignee_id?: string | null
  department_id?: string
  category_id?: string
  /** The tag's name. */
  tag?: string
  external_id?: string
  created_after?: Instant
  created_before?: Instant
  updated_after?: Instant
  q?: string
}

/** The statuses that a conversation can have under a filter. */
export const possibleStatuses = ({ status = [...statuses], waiting_on }: ConversationFilter): Status[] =>
  waiting_on ? status.filter((each) => statusesWaitingOn(waiting_on).includes(each)) : status

/** The range of ids, both bounds exclusive, of a filter's creation times: ids contain the millisecond of creation. */
export const idsCreated = ({ created_after, created_before }: ConversationFilter) => ({
  above: created_after === undefined ? null : firstUuidAt(Date.parse(created_after) + 1),
  below: created_before === undefined ? null : firstUuidAt(Date.parse(created_before)),
})

/** All conditions except the search; null if nothing can match. */
export async function conditionsOf(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
): Promise<Sql[] | null> {
  const conditions: Sql[] = []
  const equal = (column: Sql, value: string | null | undefined) => {
    if (value === null) conditions.push(sql`${column} is null`)
    else if (value !== undefined) conditions.push(sql`${column} = ${value}`)
  }
  equal(sql`external_user_id`, filter.external_user_id)
  equal(sql`priority`, filter.priority)
  equal(sql`channel`, filter.channel)
  equal(sql`external_id`, filter.external_id)
  equal(sql`waiting_on`, filter.waiting_on)
  // Redundant, but it has an index.
  if (filter.waiting_on) conditions.push(sql`status = any(${statusesWaitingOn(filter.waiting_on)}::text[])`)
  equal(sql`assignee_id`, filter.assignee_id)
  equal(sql`department_id`, filter.department_id)
  equal(sql`category_id`, filter.category_id)
  const { status, tag } = filter
  if (status)
    conditions.push(status.length === 1 ? sql`status = ${status[0]}` : sql`status = any(${status}::text[])`)
  if (tag !== undefined) {
    const ids = await idsOfTagNamed(db, tenantId, tag)
    if (ids.length === 0) return null
    conditions.push(sql`id in (${conversationsTagged(tenantId, ids)})`)
  }
  const { above, below } = idsCreated(filter)
  if (above) conditions.push(sql`id > ${above}`)
  if (below) conditions.push(sql`id < ${below}`)
  if (filter.updated_after) conditions.push(sql`updated_at > ${filter.updated_after}`)
  return conditions
}

export const conversationSorts = [
  '-created_at',
  'created_at',
  '-updated_at',
  '-last_message_at',
  'sla_due_at',
] as const
export type ConversationSort = (typeof conversationSorts)[number]

/** Conversations without a message come last; a constant in place of null keeps the order one index range. */
const noMessage = '-infinity'
/** The same for conversations without a due time. */
const neverDue = 'infinity'

const orders: Record<ConversationSort, Order<Conversation>> = {
  ...byCreation,
  '-updated_at': {
    by: sql`updated_at desc, id desc`,
    after: ([at, id]) => sql`(updated_at, id) < (${at}, ${id})`,
    key: (row) => [row.updated_at, row.id],
  },
  '-last_message_at': {
    by: sql`coalesce(last_message_at, '-infinity') desc, id desc`,
    after: ([at, id]) => sql`(coalesce(last_message_at, '-infinity'), id) < (${at}, ${id})`,
    key: (row) => [row.last_message_at ?? noMessage, row.id],
  },
  sla_due_at: {
    by: sql`coalesce(sla_due_at, 'infinity'), id`,
    after: ([at, id]) => sql`(coalesce(sla_due_at, 'infinity'), id) > (${at}, ${id})`,
    key: (row) => [row.sla_due_at ?? neverDue, row.id],
  },
}

export const conversationSortKey = (row: Conversation, sort: ConversationSort): SortKey =>
  orders[sort].key(row)

/** The order of a list. Indexes that begin with the status are read in order for each possible status. */
export function orderOf(sort: ConversationSort, filter: ConversationFilter): Order<Conversation> {
  const order = orders[sort]
  const possible = possibleStatuses(filter)
  if (sort === 'sla_due_at')
    return { ...order, rows: (where, after, limit) => dueByStatus(possible, where, after, limit) }
  const { status, waiting_on, external_user_id, assignee_id, department_id } = filter
  const hasOther = external_user_id !== undefined || assignee_id || department_id !== undefined
  return sort.endsWith('created_at') && (status || waiting_on) && !hasOther
    ? { ...order, rows: (where, _, limit) => createdByStatus(possible, where, order.by, limit) }
    : order
}

const createdByStatus = (possible: Status[], where: Sql, by: Sql, limit: number): Sql =>
  sql`unnest(${possible}::text[]) as walk (walked_status) cross join lateral (
    (select * from conversations where ${where} and status = walked_status
      and coalesce(sla_due_at, 'infinity') = 'infinity' order by ${by} ${limitTo(limit)})
    union all (select * from conversations where ${where} and status = walked_status
      and sla_due_at is not null order by ${by} ${limitTo(limit)})) conversations`

function dueByStatus(possible: Status[], where: Sql, after: SortKey | null, limit: number): Sql {
  const [at, id] = after ?? ['-infinity', firstUuid]
  return sql`unnest(${possible}::text[]) as walk (walked_status) cross join lateral (
    select * from conversations where ${where}
      and (status, coalesce(sla_due_at, 'infinity'), id) > (walked_status, ${at}::timestamptz, ${id}::uuid)
      and (status, coalesce(sla_due_at, 'infinity'), id) < (walked_status, 'infinity', ${lastUuid}::uuid)
    order by status, coalesce(sla_due_at, 'infinity'), id ${limitTo(limit)}) conversations`
}
