import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { causeOf, setCause } from '../conversations/change-facts.ts'
import { conversations } from '../conversations/entity.ts'
import { followUpWith } from '../conversations/follow-up.ts'
import { requireOwnSide } from '../conversations/own-side.ts'
import { addMessage, checkMessage, editMessage, requireOpenFor } from './actions.ts'
import { messages } from './entity.ts'
import type { Message } from './queries.ts'
import type { ScheduledMessage } from './scheduled/queries.ts'
import { editScheduled, loadIfScheduled, scheduleMessage } from './scheduling.ts'
import type { MessagePatch, NewMessage } from './schema.ts'

/** Creates or schedules a message in the conversation of the request, or in one that follows it up. */
export async function postMessage(
  change: Change,
  conversationId: string,
  input: NewMessage,
): Promise<Message | ScheduledMessage> {
  if (input.on_closed === 'follow_up') requireScopes(change.ctx.principal.allows, 'conversations:write')
  const conversation = await change.rows.load(conversations, conversationId)
  requireOwnSide(change.ctx, input.author_side)
  if (input.send_at != null) {
    const checked = await checkMessage(change, conversation, input)
    requireOpenFor(conversation, input)
    return scheduleMessage(change, conversation, checked)
  }
  if (causeOf(change) === 'action') setCause(change, 'reply')
  if (conversation.status === 'closed' && input.on_closed === 'follow_up')
    return (await followUpWith(change, conversation, input)).message
  return (await addMessage(change, conversation, input)).message
}

/** Edits a message, scheduled or sent. */
export async function updateMessage(
  change: Change,
  id: string,
  patch: MessagePatch,
): Promise<Message | ScheduledMessage> {
  const scheduled = await loadIfScheduled(change, id)
  const sent = scheduled ? null : await change.rows.load(messages, id)
  if (patch.body !== undefined) requireOwnSide(change.ctx, (scheduled ?? sent!).author_side)
  return scheduled ? editScheduled(change, scheduled, patch) : editMessage(change, sent!, patch)
}
