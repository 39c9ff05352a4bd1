import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import { defineJobKind, type Part } from '../../jobs/kinds.ts'
import { type Item, performEach } from '../../jobs/running/each.ts'
import { sizeAt } from '../../jobs/running/pace.ts'
import { retain } from './carrying-out.ts'
import { nextForRetention } from './finding.ts'
import type { RetentionParams, RetentionState } from './params.ts'
import { retentionTable } from './queries.ts'

const [firstSize, mostTogether] = [4, 50]

/** Carries a policy out, as it is at each part: it ends when the policy is paused or deleted. */
export const retentionKind = defineJobKind({
  type: 'retention',
  open(ctx, { params }) {
    const policyId = uuidOf('ret', (params as RetentionParams).retention_policy_id)!
    let size = firstSize
    return {
      async next({ state }, pace): Promise<Part> {
        size = sizeAt(size, pace, mostTogether)
        const { db, env } = ctx()
        const policy = await retentionTable.find(db, env.tenantId, policyId)
        if (policy?.status !== 'enabled') return { done: 0, failed: 0, state, ends: {} }
        const read = await withMore(ctx(), policy, state as RetentionState, size)
        const action = {
          entity: conversations,
          dryRun: false,
          perform: async (change: Parameters<typeof retain>[0], id: string) => {
            await retain(change, policy, id)
            return null
          },
        }
        const items = read.left.slice(0, size)
        const { left, ...done } = await performEach(ctx, action, items)
        const rest = [...left, ...read.left.slice(size)]
        return {
          changes: done.changes,
          results: done.results,
          done: done.results.length,
          failed: done.failed,
          state: { ...read, left: rest } satisfies RetentionState,
          ...(read.isRead && rest.length === 0 ? { ends: {} } : {}),
        }
      },
    }
  },
})

/** The state with enough conversations for a part, as far as there are more. */
async function withMore(
  ctx: Ctx,
  policy: Parameters<typeof nextForRetention>[1],
  state: RetentionState,
  size: number,
): Promise<RetentionState> {
  if (state.isRead || state.left.length >= size) return state
  const found = await nextForRetention(ctx, policy, state.after, size)
  const more = found.conversations.map(({ id }, i): Item => ({ place: state.next + i, id }))
  return {
    after: found.after,
    isRead: found.after === null,
    next: state.next + more.length,
    left: [...state.left, ...more],
  }
}
