import type { Duty } from '../../resource.ts'
import { actOn } from './actions.ts'
import { duties } from './consequences.ts'
import { conversations } from './entity.ts'

/** What stays resolved for the workspace's time closes by itself. */
export const autoClose: Duty = {
  name: duties.autoClose,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.find(conversations, conversationId)
    change.cause = 'expiry'
    if (conversation?.status === 'resolved') await actOn(change, conversation, 'close')
  },
}
