import { parseInstant, plusSeconds } from '../../../platform/kernel/clock.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { holdReasons } from '../../catalogue/hold-reasons/entity.ts'
import { actOn } from './act-on.ts'
import { setCause } from './change-facts.ts'
import { conversations } from './entity.ts'
import { jobs, moved, transition } from './lifecycle.ts'
import type { Conversation } from './queries.ts'
import type { NewHold } from './request-schema.ts'
import { saveConversation } from './save.ts'

/** Puts a conversation on hold; one that is on hold starts another period. */
export async function holdConversation(
  change: Change,
  conversation: Conversation,
  { hold_reason_id, note, until }: NewHold,
): Promise<Conversation> {
  const to = transition(conversation, 'hold')
  const { now } = change
  const references = new References(change)
  const reason = await references.to(holdReasons, '/hold_reason_id', hold_reason_id)
  // The messages of a follow-up are sent because of this hold.
  if (reason?.follow_up) requireScopes(change.ctx.principal.allows, 'messages:write')
  if (reason?.requires_note && note == null)
    references.fault({ pointer: '/note', code: 'required', detail: 'is required for this hold reason' })
  const max = reason?.max_duration_seconds ?? null
  const asked = until == null ? null : parseInstant(until)
  if (asked !== null && asked <= now)
    references.fault({ pointer: '/until', code: 'too_small', detail: 'must be in the future' })
  if (asked !== null && max !== null && asked > plusSeconds(now, max)) {
    const detail = `must be at most ${max} seconds ahead for this hold reason`
    references.fault({ pointer: '/until', code: 'too_large', detail })
  }
  references.check()
  const seconds = reason!.default_duration_seconds ?? max
  const hold = {
    hold_reason_id: reason!.id,
    hold_note: note ?? null,
    hold_since: now,
    hold_until: asked ?? (seconds === null ? null : plusSeconds(now, seconds)),
    waiting_on: reason!.waiting_on,
    resumes_on_reply: reason!.resumes_on_reply,
    hold_pauses_sla: reason!.pauses_sla,
  }
  return saveConversation(change, conversation, moved(conversation, to, now, hold), 'conversation.held')
}

/** At `until`, performs the action of the hold reason. */
export const holdExpiry: Job = {
  name: jobs.holdExpiry,
  subjects: conversations,
  async perform(change, conversationId, dueAt) {
    const conversation = await change.rows.find(conversations, conversationId)
    if (conversation?.hold_until !== dueAt) return
    const reason = await change.rows.find(holdReasons, conversation.hold_reason_id!)
    setCause(change, 'expiry')
    if (reason && reason.on_expiry !== 'none') await actOn(change, conversation, reason.on_expiry)
  },
}
