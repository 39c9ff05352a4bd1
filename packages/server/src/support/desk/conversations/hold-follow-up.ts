import { type Instant, plusSeconds, toUnixMs } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { holdReasons } from '../../catalogue/hold-reasons/entity.ts'
import type { HoldReason } from '../../catalogue/hold-reasons/queries.ts'
import { addMessage } from '../messages/actions.ts'
import { conversations } from './entity.ts'
import { jobs } from './lifecycle.ts'
import type { Conversation } from './queries.ts'

/**
 * Sends messages to the end user of a conversation on hold, at the interval and up to the number of the hold reason.
 * Missed messages are skipped: three at once help nobody.
 */
export const holdFollowUp: Job = {
  name: jobs.holdFollowUp,
  subjects: conversations,
  async perform(change, conversationId, dueAt) {
    const conversation = await change.rows.find(conversations, conversationId)
    if (!conversation?.hold_since) return
    const reason = await change.rows.find(holdReasons, conversation.hold_reason_id!)
    if (!reason?.follow_up) return
    const { every_seconds, max_count } = reason.follow_up
    await write(change, conversation, reason)
    const since = conversation.hold_since
    const count = Math.floor(secondsBetween(since, change.now > dueAt ? change.now : dueAt) / every_seconds)
    if (count < max_count)
      change.jobs.schedule(jobs.holdFollowUp, conversationId, plusSeconds(since, (count + 1) * every_seconds))
  },
}

const secondsBetween = (from: Instant, to: Instant) => (toUnixMs(to) - toUnixMs(from)) / 1000

/** A template that renders no message leaves an internal note instead. */
async function write(
  change: Change,
  conversation: Conversation,
  { name, follow_up }: HoldReason,
): Promise<void> {
  try {
    const template = follow_up!.template_id
    const message = { author_side: 'system', template_id: typeId('tmpl', template) } as const
    await addMessage(change, conversation, message, template)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const why =
      error.details.errors?.map(({ detail }) => `The template ${detail}.`).join(' ') ?? error.message
    const body = `The follow-up message of the hold reason ${name} was not sent. ${why}`
    await addMessage(change, conversation, { author_side: 'system', visibility: 'internal', body })
  }
}
