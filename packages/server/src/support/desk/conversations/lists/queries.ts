import type { Filter } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import { firstUuid, firstUuidAt, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { limitTo, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { byCreation, type Order } from '../../../../platform/tables/table.ts'
import { conversationsTagged, idsOfTagNamed } from '../../../catalogue/tags/queries.ts'
import { idsOfEndUser, idsOfExternalId } from '../../../people/end-users/queries.ts'
import { type Status, statuses, statusesWaitingOn, type WaitingOn } from '../lifecycle.ts'
import { hasUnlinked } from '../linking/queries.ts'
import type { Conversation } from '../queries.ts'

export type ConversationFilter = {
  status?: Status[]
  external_user_id?: string
  end_user_id?: string
  /** The ids that the end user of the filter may be stored as. */
  end_user_ids?: string[]
  priority?: string
  channel?: string
  initiated_by_side?: string
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
  filter?: Filter
}

/** The statuses that a conversation can have under a filter. */
export const possibleStatuses = ({ status = [...statuses], waiting_on }: ConversationFilter): Status[] =>
  waiting_on ? status.filter((each) => statusesWaitingOn(waiting_on).includes(each)) : status

/** The range of ids, both bounds exclusive, of a filter's creation times: ids contain the millisecond of creation. */
export const idsCreated = ({ created_after, created_before }: ConversationFilter) => ({
  above: created_after === undefined ? null : firstUuidAt(Date.parse(created_after) + 1),
  below: created_before === undefined ? null : firstUuidAt(Date.parse(created_before)),
})

/**
 * A filter with the ids of its end user in place of `end_user_id`; null if nothing can match. `external_user_id` stays
 * only while there are conversations from before end users.
 */
export async function withEndUser(
  db: Db,
  tenantId: string,
  filter: ConversationFilter,
): Promise<ConversationFilter | null> {
  const { external_user_id, end_user_id, ...rest } = filter
  if (external_user_id === undefined && end_user_id === undefined) return filter
  const [byName, byId] = await Promise.all([
    external_user_id === undefined ? null : idsOfExternalId(db, tenantId, external_user_id),
    end_user_id === undefined ? null : idsOfEndUser(db, tenantId, end_user_id),
  ])
  const ids = byName && byId ? byName.filter((id) => byId.includes(id)) : (byName ?? byId)!
  if (external_user_id !== undefined && byId === null && (await hasUnlinked(db, tenantId)))
    return { ...rest, end_user_ids: ids, external_user_id }
  return ids.length === 0 ? null : { ...rest, end_user_ids: ids }
}

const ofEndUser = ([only, ...others]: string[], externalId: string | undefined): Sql => {
  if (only && others.length === 0 && externalId === undefined) return sql`end_user_id = ${only}`
  const linked = sql`end_user_id = any(${only ? [only, ...others] : []}::uuid[])`
  return externalId === undefined
    ? linked
    : sql`(${linked} or (end_user_id is null and external_user_id = ${externalId}))`
}

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
  if (filter.end_user_ids) conditions.push(ofEndUser(filter.end_user_ids, filter.external_user_id))
  equal(sql`priority`, filter.priority)
  equal(sql`channel`, filter.channel)
  equal(sql`initiated_by_side`, filter.initiated_by_side)
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
  const { status, waiting_on, end_user_ids, assignee_id, department_id } = filter
  const hasOther = end_user_ids !== undefined || assignee_id || department_id !== undefined
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
