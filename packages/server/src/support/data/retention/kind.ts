import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { defineJobKind, type OpenJob, type Part } from '../../jobs/kinds.ts'
import type { Action, Item } from '../../jobs/running/each.ts'
import { openPerformer } from '../../jobs/running/performer.ts'
import { retain } from './carrying-out.ts'
import { nextForRetention } from './finding.ts'
import type { RetentionParams, RetentionState } from './params.ts'
import { type RetentionPolicy, retentionTable } from './queries.ts'

const sizes: [number, number] = [4, 50]

/** Carries a policy out, as it is at each part: it ends when the policy is paused or deleted. */
export const retentionKind = defineJobKind({
  type: 'retention',
  open(ctx, { params }): OpenJob {
    const policyId = uuidOf('ret', (params as RetentionParams).retention_policy_id)!
    /** The policy as it is at the part. */
    let policy: RetentionPolicy | null = null
    const action: Action<Conversation> = {
      entity: conversations,
      dryRun: false,
      async perform(change, id) {
        await retain(change, policy!, id)
        return null
      },
    }
    const performer = openPerformer(ctx, action, sizes)
    return {
      async next(job, pace): Promise<Part> {
        const { db, env } = ctx()
        const state = job.state as RetentionState
        policy = await retentionTable.find(db, env.tenantId, policyId)
        if (policy?.status !== 'enabled')
          return { done: 0, failed: 0, state, ends: { result: resultOf(state) } }
        const size = performer.sizeOf(pace)
        const read = await withMore(ctx(), policy, state, size)
        const { left, ...done } = await performer.perform(read.left.slice(0, size), pace)
        const next: RetentionState = { ...read, left: [...left, ...read.left.slice(size)] }
        return {
          changes: done.changes,
          results: done.results,
          done: done.results.length,
          failed: done.failed,
          state: next,
          ...(next.isRead && next.left.length === 0 ? { ends: { result: resultOf(next) } } : {}),
        }
      },
      refused: (error) => performer.refused(error),
    }
  },
})

const resultOf = ({ held }: RetentionState) => ({ held })

/** The state with enough conversations for a part, as far as there are more. */
async function withMore(
  ctx: Ctx,
  policy: RetentionPolicy,
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
    held: state.held + found.held,
  }
}
