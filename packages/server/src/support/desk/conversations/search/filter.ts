import type { Instant } from '../../../../platform/kernel/clock.ts'
import { firstUuidAt } from '../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { conversationsTagged, idsOfTagNamed } from '../../../catalogue/tags/queries.ts'
import { type Status, statuses, statusesWaitingOn, type WaitingOn } from '../lifecycle.ts'

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
