import type { SortKey } from '../../../../platform/kernel/page.ts'
import type { Filter } from '../../../../platform/lists/filter.ts'
import { byCreation } from '../../../../platform/tables/table.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import type { Conversation } from '../queries.ts'
import { conversationList } from './request.ts'

/** Oldest first: conversations that are created meanwhile come last. */
const sort = 'created_at'

type After = { after: SortKey | null; limit: number }

/**
 * Returns the next conversations that meet a filter, for work that goes through all of them. `reached` is the place to
 * continue from; null after the last one.
 */
export async function nextFound(
  ctx: Ctx,
  filter: Filter,
  { after, limit }: After,
): Promise<{ rows: Conversation[]; reached: SortKey | null }> {
  const page = await listOf(ctx, filter).page({ sort, limit, after })
  if (!Array.isArray(page)) return { rows: page.rows, reached: page.hasMore ? page.reached : null }
  return { rows: page, reached: reachedBy(page, limit) }
}

/** As `nextFound`, for work that needs no more than the ids. */
export async function nextFoundIds(
  ctx: Ctx,
  filter: Filter,
  { after, limit }: After,
): Promise<{ ids: string[]; reached: SortKey | null }> {
  const ids = await listOf(ctx, filter).ids?.({ sort, limit, after })
  if (ids)
    return {
      ids,
      reached: reachedBy(
        ids.map((id) => ({ id })),
        limit,
      ),
    }
  const { rows, reached } = await nextFound(ctx, filter, { after, limit })
  return { ids: rows.map(({ id }) => id), reached }
}

const listOf = (ctx: Ctx, filter: Filter) =>
  conversationList(ctx.db, { tenantId: ctx.env.tenantId, now: ctx.now() }, filter)

const reachedBy = (rows: { id: string }[], limit: number): SortKey | null => {
  const last = rows.at(-1)
  return last && rows.length >= limit ? byCreation[sort].key(last) : null
}
