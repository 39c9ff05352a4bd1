import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { type Job, on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { removeConversation } from '../../desk/conversations/deleting/delete.ts'
import { beginRemoval } from '../../desk/conversations/deleting/removal.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import { createJob } from '../../jobs/actions.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { retentionPolicies } from './entity.ts'
import { nextForRetention } from './finding.ts'
import { begun, type RetentionParams } from './params.ts'
import type { RetentionPolicy } from './queries.ts'

const daySeconds = 86_400

/** Starts an enabled policy once a day. */
export const retention: Job = {
  name: 'retention',
  subjects: retentionPolicies,
  async perform(change, id) {
    const policy = await change.rows.find(retentionPolicies, id)
    if (policy?.status !== 'enabled') return
    change.jobs.schedule(retention.name, id, plusSeconds(change.now, daySeconds))
    await startRetention(change, policy)
  },
}

/** A policy runs for the first time a day after it was enabled. */
export const onPolicy = on(retentionPolicies, (change, before, after) => {
  const isEnabled = after?.status === 'enabled'
  if (isEnabled === (before?.status === 'enabled')) return
  const { id } = (after ?? before)!
  if (isEnabled) change.jobs.schedule(retention.name, id, plusSeconds(change.now, daySeconds))
  else change.jobs.cancel(retention.name, id)
})

/** Starts a job that carries a policy out, if there is something to do. */
async function startRetention(change: Change, policy: RetentionPolicy): Promise<void> {
  const found = await nextForRetention(change.ctx, policy, null, 1).catch(unlessBroken)
  if (found === null || (found.conversations.length === 0 && found.after === null)) return
  const params: RetentionParams = { retention_policy_id: typeId('ret', policy.id), action: policy.action }
  createJob(change, { type: 'retention', params, state: begun })
}

/** A policy whose filter names what is no more does nothing. */
function unlessBroken(error: unknown): null {
  if (error instanceof ApiError && error.code === 'view_broken') return null
  throw error
}

/** `held`: under a legal hold; `changed`: gone, or the policy does not apply to it any more. */
export type Retained = 'done' | 'held' | 'changed'

/** Carries out the action of a policy on a conversation. */
export async function retain(
  change: Change,
  { action, after_seconds }: Pick<RetentionPolicy, 'action' | 'after_seconds'>,
  conversationId: string,
): Promise<Retained> {
  const conversation = await change.rows.find(conversations, conversationId)
  const closedBefore = plusSeconds(change.now, -after_seconds)
  if (conversation?.status !== 'closed' || conversation.closed_at! >= closedBefore) return 'changed'
  const endUserId = conversation.end_user.id
  const endUser = endUserId === null ? null : await change.rows.find(endUsers, endUserId)
  if (endUser && endUser.legal_hold_since !== null) return 'held'
  if (endUser) change.rows.guard(endUsers, endUser)
  if (action === 'delete') await removeConversation(change, conversation)
  else {
    change.rows.guard(conversations, conversation)
    beginRemoval(change, conversation, action)
  }
  return 'done'
}
