import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import type { Conversation } from '../queries.ts'
import { conversationSortKey } from './orders.ts'
import { conversationList } from './request.ts'

/** Oldest first: conversations that are created meanwhile come last. */
const sort = 'created_at'

/**
 * Returns the next conversations that meet a filter, for work that goes through all of them. `reached` is the place to
 * continue from; null after the last one.
 */
export async function nextFound(
  ctx: Ctx,
  filter: Filter,
  after: SortKey | null,
  limit: number,
): Promise<{ rows: Conversation[]; reached: SortKey | null }> {
  const list = conversationList(ctx.db, { tenantId: ctx.env.tenantId, now: ctx.now() }, filter)
  const page = await list.page({ sort, limit, after })
  if (!Array.isArray(page)) return { rows: page.rows, reached: page.hasMore ? page.reached : null }
  const last = page.at(-1)
  return { rows: page, reached: last && page.length >= limit ? conversationSortKey(last, sort) : null }
}
