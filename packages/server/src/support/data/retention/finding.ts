import { plusSeconds } from '../../../platform/kernel/clock.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { withSomethingToDo } from '../../desk/conversations/deleting/queries.ts'
import { conversationList } from '../../desk/conversations/finding/request.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { closedBefore } from './filter.ts'
import { heldAmong, type RetentionPolicy } from './queries.ts'

type Selection = Pick<RetentionPolicy, 'filter' | 'after_seconds' | 'action'>
type At = Pick<Ctx, 'db' | 'env' | 'now'>

/**
 * Conversations that a policy applies to, oldest first, the number of those that were left out because of a legal hold,
 * and the place to continue from; null at the end.
 */
export type Found = { conversations: Conversation[]; held: number; after: SortKey | null }

/**
 * The next conversations for which a policy has something to do, among at most `limit`: closed for long enough, matched
 * by its filter, not under a legal hold.
 * @throws ApiError `view_broken` for a filter that names what is no more
 */
export async function nextForRetention(
  { db, env, now }: At,
  policy: Selection,
  after: SortKey | null,
  limit: number,
): Promise<Found> {
  const { tenantId } = env
  const definitions = await definitionsOf(db, tenantId)
  const filter = closedBefore(policy.filter, plusSeconds(now(), -policy.after_seconds), definitions)
  const list = conversationList(db, { tenantId, now: now() }, filter)
  const page = await list.page({ sort: 'created_at', limit: limit + 1, after })
  const { rows, hasMore, reached } = Array.isArray(page)
    ? { rows: page.slice(0, limit), hasMore: page.length > limit, reached: null }
    : page
  const people = rows.flatMap(({ end_user }) => end_user.id ?? [])
  const held = await heldAmong(db, tenantId, people)
  const free = rows.filter(({ end_user }) => end_user.id === null || !held.has(end_user.id))
  const { action } = policy
  const ids = free.map(({ id }) => id)
  const left = action === 'delete' ? null : await withSomethingToDo(db, tenantId, ids, action)
  const last = rows.at(-1)
  return {
    conversations: left === null ? free : free.filter(({ id }) => left.has(id)),
    held: rows.length - free.length,
    after: hasMore ? (reached ?? (last ? [last.id] : null)) : null,
  }
}

/** The conversations that a preview looks for. */
const most = 10_000
const atOnce = 100
/** The time within which a preview ends. */
const budgetMs = 10_000

export type RetentionPreview = { matched: number; more: boolean; oldest: string | null }

/** Counts the conversations that a policy would apply to now. */
export async function previewRetention(at: At, policy: Selection): Promise<RetentionPreview> {
  const stopAt = performance.now() + budgetMs
  let [matched, oldest]: [number, string | null] = [0, null]
  for (let after: SortKey | null = null; ; ) {
    const found = await nextForRetention(at, policy, after, atOnce)
    matched += found.conversations.length
    for (const { closed_at } of found.conversations)
      if (oldest === null || closed_at! < oldest) oldest = closed_at
    after = found.after
    if (after === null) return { matched, more: false, oldest }
    if (matched >= most || performance.now() > stopAt) return { matched, more: true, oldest }
  }
}
