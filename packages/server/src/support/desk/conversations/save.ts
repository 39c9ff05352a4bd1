import type { Change } from '../../../platform/unit-of-work/change.ts'
import { requireForResolving } from '../../properties/custom-fields/values/values.ts'
import { type ConversationEvent, conversations } from './entity.ts'
import type { Conversation } from './queries.ts'
import { isRoutable, route } from './routing/routing.ts'
import { updateClocks } from './sla/update-clocks.ts'

/**
 * Updates a conversation; all updates use this function. It updates the clocks, and routes the conversation if it can
 * be assigned from now on, because it came to a department or was reopened. A person or key resolves it only if it has
 * values for the custom fields that this requires; work that falls due resolves it all the same.
 * @param event null if the update has no event
 */
export async function saveConversation(
  change: Change,
  conversation: Conversation,
  patch: Partial<Conversation>,
  event: ConversationEvent | null,
): Promise<Conversation> {
  if (patch.status === 'resolved' && conversation.status !== 'resolved')
    await requireForResolving(change, patch.custom_fields ?? conversation.custom_fields)
  const updated = change.rows.update(conversations, conversation, patch, event)
  const amended = await updateClocks(change, updated)
  const becomesRoutable =
    isRoutable(amended) && !(isRoutable(conversation) && conversation.department_id === amended.department_id)
  return becomesRoutable ? route(change, amended) : amended
}
