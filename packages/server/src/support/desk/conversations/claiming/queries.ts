import { firstUuid, lastUuid } from '../../../../platform/kernel/ids.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { At } from '../../../../platform/lists/field.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { join, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { type ClaimOrder, priorities } from '../../../vocabulary/conversations.ts'
import type { ConversationSort } from '../finding/orders.ts'
import { conversationLeaf, conversationList } from '../finding/request.ts'

/** The conversations of a view, in its order. */
type Claimable = { filter: Filter; sort: ConversationSort }

/** A conversation that can be claimed, as long as it has this version. */
export type Found = { id: string; version: number }

/** The condition of the index conversations_open_unclaimed, except for the status. */
const unclaimed = sql`assignee_id is null and waiting_on = 'operator'`

/**
 * The first unassigned conversation that waits for an operator; null if none does.
 * @param departmentId null for the conversations of all departments and of none
 */
export const firstWaiting = (
  db: Db,
  tenantId: string,
  order: ClaimOrder,
  departmentId: string | null,
): Promise<Found | null> =>
  order === 'waiting'
    ? longestWaiting(db, tenantId, departmentId)
    : firstByUrgency(db, tenantId, order, departmentId)

/**
 * The one that has waited longest. A new conversation has waited since its creation, so the order of new ones is that
 * of their ids, which other indexes have.
 */
async function longestWaiting(db: Db, tenantId: string, departmentId: string | null): Promise<Found | null> {
  const first = (condition: Sql, order: Sql) => sql`(select id, version, waiting_since from conversations
    where tenant_id = ${tenantId} and ${unclaimed} and ${condition} order by ${order} limit 1)`
  const firstOpen = (department: Sql) =>
    first(sql`status = 'open' and department_id ${department}`, sql`waiting_since, id`)
  // Comparisons of rows, as in lists/walks/queries.ts, so that only the index with these columns has the order.
  const firstNew = (columns: Sql, values: Sql, where: Sql) =>
    first(
      sql`${where} and (${columns}, id) > (${values}, ${firstUuid}::uuid) and (${columns}, id) < (${values}, ${lastUuid}::uuid)`,
      sql`${columns}, id`,
    )
  const candidates =
    departmentId === null
      ? [
          firstNew(sql`status, coalesce(sla_due_at, 'infinity')`, sql`'new', 'infinity'`, sql`true`),
          firstNew(sql`status`, sql`'new'`, sql`sla_due_at is not null`),
          firstOpen(sql`is null`),
          sql`select c.* from departments d cross join lateral ${firstOpen(sql`= d.id`)} c where d.tenant_id = ${tenantId}`,
        ]
      : [
          firstNew(
            sql`department_id, status`,
            sql`${departmentId}::uuid, 'new'`,
            sql`department_id is not null`,
          ),
          firstOpen(sql`= ${departmentId}`),
        ]
  return db.maybe<Found>(
    sql`select id, version from (${join(candidates, sql` union all `)}) firsts order by waiting_since, id limit 1`,
  )
}

const due = sql`coalesce(sla_due_at, 'infinity')`
const urgency = sql`array_position(${priorities.toReversed()}::text[], priority)`
const byUrgency: Record<Exclude<ClaimOrder, 'waiting'>, Sql> = {
  due: sql`${due}, ${urgency}, waiting_since, id`,
  priority: sql`${urgency}, ${due}, waiting_since, id`,
}

/**
 * The one that is due first, or has the highest priority. `sla_due_at` is the earliest due time of the clocks that run,
 * or are breached and have not ended. No index has the whole order, because all environments would pay for it: unless
 * the first ones have different due times, all that wait are read. New ones and open ones have different indexes.
 */
async function firstByUrgency(
  db: Db,
  tenantId: string,
  order: Exclude<ClaimOrder, 'waiting'>,
  departmentId: string | null,
): Promise<Found | null> {
  const inPlace = departmentId === null ? sql`true` : sql`department_id = ${departmentId}`
  const by = byUrgency[order]
  const first = (status: Sql) => sql`(select id, version, priority, sla_due_at, waiting_since
    from conversations where tenant_id = ${tenantId} and ${unclaimed} and ${status} and ${inPlace}
    order by ${by} limit 1)`
  const [found] = await db.slowRows<Found>(
    sql`select id, version from (${first(sql`status = 'new'`)} union all ${first(sql`status = 'open'`)}) firsts
      order by ${by} limit 1`,
  )
  return found ?? null
}

/**
 * The first one of a view; null if none of them waits. It reads on until it knows, however many others wait.
 * @param departmentId null for the conversations of all departments and of none
 */
export async function firstInView(
  db: Db,
  at: At,
  { filter, sort }: Claimable,
  departmentId: string | null,
): Promise<Found | null> {
  const list = conversationList(db, at, {
    all: [
      filter,
      conversationLeaf('status', 'in', 'new', 'open'),
      conversationLeaf('waiting_on', 'is', 'operator'),
      conversationLeaf('assignee_id', 'exists', false),
      ...(departmentId === null ? [] : [conversationLeaf('department_id', 'is', departmentId)]),
    ],
  })
  for (let after: SortKey | null = null; ; ) {
    const found = await list.page({ limit: 1, after, sort })
    const rows = Array.isArray(found) ? found : found.rows
    if (rows[0]) return rows[0]
    if (Array.isArray(found) || !found.hasMore) return null
    after = found.reached
  }
}
