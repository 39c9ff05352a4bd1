import type { Duty } from '../../resource.ts'
import { actOn } from './act-on.ts'
import { closesAt } from './consequences.ts'
import { conversations } from './entity.ts'
import { duties } from './lifecycle.ts'

/** What stays resolved for the workspace's time closes by itself. */
export const autoClose: Duty = {
  name: duties.autoClose,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.find(conversations, conversationId)
    if (conversation?.status !== 'resolved') return
    const at = await closesAt(change, conversation)
    change.cause = 'expiry'
    if (at <= change.now) await actOn(change, conversation, 'close')
    else change.schedule(duties.autoClose, conversationId, at) // the time became longer while it was being resolved
  },
}
