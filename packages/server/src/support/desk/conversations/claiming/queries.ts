import type { SortKey } from '../../../../platform/kernel/page.ts'
import { conditionOf } from '../../../../platform/lists/condition.ts'
import type { At } from '../../../../platform/lists/field.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { ConversationSort } from '../finding/orders.ts'
import { conversationLeaf, conversationList } from '../finding/request.ts'

/** The conversations of a view, in its order. */
export type Claimable = { filter: Filter; sort: ConversationSort }

/**
 * The first unassigned conversation that meets a filter and waits for an operator; null if there is none. It reads on
 * until it knows, however many others wait.
 * @param departmentId null for the conversations of all departments and of none
 * @param gone conversations to leave out
 */
export async function firstWaiting(
  db: Db,
  at: At,
  { filter, sort }: Claimable,
  departmentId: string | null,
  gone: string[],
): Promise<string | null> {
  const list = conversationList(db, at, {
    all: [
      filter,
      conversationLeaf('status', 'in', 'new', 'open'),
      conversationLeaf('waiting_on', 'is', 'operator'),
      conversationLeaf('assignee_id', 'exists', false),
      ...(departmentId === null ? [] : [conversationLeaf('department_id', 'is', departmentId)]),
    ],
  })
  let after: SortKey | null = null
  for (;;) {
    const found = await list.page({ limit: gone.length + 1, after, sort })
    const rows = Array.isArray(found) ? found : found.rows
    const first = rows.find(({ id }) => !gone.includes(id))
    if (first) return first.id
    if (Array.isArray(found) || !found.hasMore) return null
    after = found.reached
  }
}

/** Does a conversation meet a filter now? */
export async function meetsFilter(db: Db, at: At, id: string, filter: Filter): Promise<boolean> {
  const found = await db.maybe(sql`select 1 from conversations where conversations.tenant_id = ${at.tenantId}
    and conversations.id = ${id} and ${conditionOf(filter, at)}`)
  return found !== null
}
