import { type Instant, plusSeconds, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { type Job, on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { refuseHeldConversation, removeConversation } from '../../desk/conversations/deleting/delete.ts'
import { beginRemoval } from '../../desk/conversations/deleting/removal.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import { createJob } from '../../jobs/actions.ts'
import { retentionPolicies } from './entity.ts'
import { nextForRetention } from './finding.ts'
import { begun, type RetentionParams } from './params.ts'
import type { RetentionPolicy } from './queries.ts'

const daySeconds = 86_400

const plusDays = (time: Instant, days: number): Instant => plusSeconds(time, days * daySeconds)

/** The whole days that a test clock has still to move. */
const daysUntil = ({ now, ctx: { movingTo } }: Change): number =>
  movingTo === undefined ? 0 : Math.floor((toUnixMs(movingTo) - toUnixMs(now)) / (daySeconds * 1000))

/** Starts an enabled policy once a day. Of the days that a test clock passes at once, the last one alone counts. */
export const retention: Job = {
  name: 'retention',
  subjects: retentionPolicies,
  async perform(change, id) {
    const policy = await change.rows.find(retentionPolicies, id)
    if (policy?.status !== 'enabled') return
    const skipped = daysUntil(change)
    if (skipped > 0) return change.jobs.schedule(retention.name, id, plusDays(change.now, skipped))
    change.jobs.schedule(retention.name, id, plusDays(change.now, 1))
    await startRetention(change, policy)
  },
}

/** A policy runs for the first time a day after it was enabled. */
export const onPolicy = on(retentionPolicies, (change, before, after) => {
  const isEnabled = after?.status === 'enabled'
  if (isEnabled === (before?.status === 'enabled')) return
  const { id } = (after ?? before)!
  if (isEnabled) change.jobs.schedule(retention.name, id, plusDays(change.now, 1))
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

/**
 * Carries out the action of a policy on a conversation, unless it is gone or was opened again.
 * @throws ApiError `legal_hold` if its end user came under one after it was found
 */
export async function retain(
  change: Change,
  { action, after_seconds }: Pick<RetentionPolicy, 'action' | 'after_seconds'>,
  conversationId: string,
): Promise<void> {
  const conversation = await change.rows.find(conversations, conversationId)
  const closedBefore = plusSeconds(change.now, -after_seconds)
  if (conversation?.status !== 'closed' || conversation.closed_at! >= closedBefore) return
  if (action === 'delete') return removeConversation(change, conversation)
  await refuseHeldConversation(change, conversation)
  change.rows.guard(conversations, conversation)
  beginRemoval(change, conversation, action)
}
