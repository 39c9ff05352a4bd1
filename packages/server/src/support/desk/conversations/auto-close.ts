import { type Job, on } from '../../../platform/resource/resource.ts'
import { shiftDue } from '../../../platform/unit-of-work/due.ts'
import { workspaces } from '../../admin/workspace/entity.ts'
import { actOn } from './act-on.ts'
import { setCause } from './change-facts.ts'
import { conversations } from './entity.ts'
import { jobs } from './lifecycle.ts'
import { closesAt } from './reactions.ts'

/** Closes conversations that stay resolved for the time set in the workspace. */
export const autoClose: Job = {
  name: jobs.autoClose,
  subjects: conversations,
  async perform(change, conversationId) {
    const conversation = await change.rows.find(conversations, conversationId)
    if (conversation?.status !== 'resolved') return
    const at = await closesAt(change, conversation)
    setCause(change, 'expiry')
    if (at <= change.now) await actOn(change, conversation, 'close')
    else change.jobs.schedule(jobs.autoClose, conversationId, at) // the time was extended during the resolve
  },
}

/** A new time applies to resolved conversations. */
export const onWorkspace = on(workspaces, (change, before, after) => {
  const longer = after && before ? after.auto_close_after_seconds - before.auto_close_after_seconds : 0
  if (longer !== 0) change.effects.write(shiftDue(change.tenantId, jobs.autoClose, longer))
})
