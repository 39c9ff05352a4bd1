import type { Change } from '../../../platform/unit-of-work/change.ts'
import { conversations } from './entity.ts'
import type { Conversation } from './queries.ts'
import { isRoutable, route } from './routing/routing.ts'
import { updateClocks } from './sla/update-clocks.ts'

/**
 * Changes a conversation. Every change of one comes by here: its clocks are taken along, and if it can be given to an
 * operator from now on, because it came to a department or opened again, it is, in the same breath.
 * @param event null when the change is not worth one
 */
export async function saveConversation(
  change: Change,
  conversation: Conversation,
  patch: Partial<Conversation>,
  event: string | null,
): Promise<Conversation> {
  const updated = change.rows.update(conversations, conversation, patch, event)
  const amended = await updateClocks(change, updated)
  const becomesRoutable =
    isRoutable(amended) && !(isRoutable(conversation) && conversation.department_id === amended.department_id)
  return becomesRoutable ? route(change, amended) : amended
}
