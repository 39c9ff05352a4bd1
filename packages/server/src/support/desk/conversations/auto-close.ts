import { type Job, on } from '../../../platform/resource/resource.ts'
import { shiftDue } from '../../../platform/unit-of-work/due.ts'
import { workspaces } from '../../admin/workspace/entity.ts'
import { actOn } from './act-on.ts'
import { conversations } from './entity.ts'
import { jobs } from './lifecycle.ts'
import { setCause } from './notes.ts'
import { closesAt } from './reactions.ts'

/** What stays resolved for the workspace's time closes by itself. */
export const autoClose: Job = {
  name: jobs.autoClose,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.rows.find(conversations, conversationId)
    if (conversation?.status !== 'resolved') return
    const at = await closesAt(change, conversation)
    setCause(change, 'expiry')
    if (at <= change.now) await actOn(change, conversation, 'close')
    else change.jobs.schedule(jobs.autoClose, conversationId, at) // the time became longer while it was being resolved
  },
}

/** Conversations that are resolved keep to the new time. */
export const onWorkspace = on(workspaces, (change, before, after) => {
  const longer = after && before ? after.auto_close_after_seconds - before.auto_close_after_seconds : 0
  if (longer !== 0) change.effects.write(shiftDue(change.tenantId, jobs.autoClose, longer))
})
