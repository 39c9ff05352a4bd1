import { conditionOf } from '../../../../platform/filters/compile.ts'
import type { Filter } from '../../../../platform/filters/tree.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { definitionsOf } from '../../../properties/custom-fields/definitions.ts'
import { conversationColumns } from '../filters/queries.ts'
import type { ConversationSort } from '../lists/queries.ts'
import { listConversations } from '../search/queries.ts'

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
  tenantId: string,
  { filter, sort }: Claimable,
  departmentId: string | null,
  now: Instant,
  gone: string[],
): Promise<string | null> {
  const asked = {
    filter,
    status: ['new' as const, 'open' as const],
    waiting_on: 'operator' as const,
    assignee_id: null,
    ...(departmentId === null ? {} : { department_id: departmentId }),
  }
  let after: SortKey | null = null
  for (;;) {
    const page = { limit: gone.length + 1, after, sort }
    const found = await listConversations(db, tenantId, asked, page, now)
    const rows = Array.isArray(found) ? found : found.rows
    const first = rows.find(({ id }) => !gone.includes(id))
    if (first) return first.id
    if (Array.isArray(found) || !found.hasMore) return null
    after = found.reached
  }
}

/** Does a conversation meet a filter now? */
export async function meetsFilter(
  db: Db,
  tenantId: string,
  id: string,
  filter: Filter,
  now: Instant,
): Promise<boolean> {
  const columns = conversationColumns(tenantId, await definitionsOf(db, tenantId), now)
  const found = await db.maybe(sql`select 1 from conversations where conversations.tenant_id = ${tenantId}
    and conversations.id = ${id} and ${conditionOf(filter, { columns, now })}`)
  return found !== null
}
