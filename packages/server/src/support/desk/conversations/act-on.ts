import type { Change } from '../../../platform/unit-of-work/change.ts'
import { eventOfMove, moved, transition } from './lifecycle.ts'
import type { Conversation } from './queries.ts'
import { saveConversation } from './save.ts'

/** Performs an action of the state machine that needs only the conversation. */
export async function actOn(
  change: Change,
  conversation: Conversation,
  action: 'resume' | 'reopen' | 'close' | 'resolve',
): Promise<Conversation> {
  const to = transition(conversation, action)
  return saveConversation(
    change,
    conversation,
    moved(conversation, to, change.now),
    eventOfMove(conversation.status, to),
  )
}
