import { parseInstant } from '../../../platform/kernel/clock.ts'
import { invalidBody } from '../../../platform/kernel/errors.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { blockExpiry, endUsers } from './entity.ts'
import { requireAllowed } from './identity.ts'
import { noBlock } from './naming.ts'
import type { EndUser } from './queries.ts'
import type { Block } from './schema.ts'

export async function blockEndUser(change: Change, id: string, input: Block): Promise<EndUser> {
  const endUser = await change.rows.load(endUsers, id)
  requireAllowed('attach', endUser)
  const until = input.until == null ? null : parseInstant(input.until)!
  if (until !== null && until <= change.now)
    throw invalidBody({ pointer: '/until', code: 'too_small', detail: 'must be in the future' })
  if (until) change.jobs.schedule(blockExpiry, id, until)
  else if (endUser.blocked_until) change.jobs.cancel(blockExpiry, id)
  return change.rows.update(
    endUsers,
    endUser,
    {
      blocked_at: endUser.blocked_at ?? change.now,
      blocked_until: until,
      block_reason: input.reason ?? null,
    },
    'end_user.blocked',
  )
}

export async function unblockEndUser(change: Change, id: string): Promise<EndUser> {
  const endUser = await change.rows.load(endUsers, id)
  requireAllowed('attach', endUser)
  return unblock(change, endUser)
}

function unblock(change: Change, endUser: EndUser): EndUser {
  if (endUser.blocked_until) change.jobs.cancel(blockExpiry, endUser.id)
  return change.rows.update(endUsers, endUser, noBlock, 'end_user.unblocked')
}

export const endBlock: Job = {
  name: blockExpiry,
  subjects: endUsers,
  async perform(change, id, dueAt) {
    const endUser = await change.rows.find(endUsers, id)
    if (endUser?.blocked_until === dueAt) change.rows.update(endUsers, endUser, noBlock, 'end_user.unblocked')
  },
}
