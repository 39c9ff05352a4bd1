import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { endUsers } from './entity.ts'
import { requireAllowed } from './identity.ts'
import type { EndUser } from './queries.ts'
import type { LegalHold } from './schema.ts'

/** Holds an end user: nothing of it is deleted or erased until the release. A further hold replaces the reason. */
export async function holdLegally(change: Change, id: string, { reason }: LegalHold): Promise<EndUser> {
  const endUser = await change.rows.load(endUsers, id)
  requireAllowed('attach', endUser)
  return change.rows.update(endUsers, endUser, {
    legal_hold_reason: reason,
    legal_hold_since: endUser.legal_hold_since ?? change.now,
  })
}

export async function releaseLegally(change: Change, id: string): Promise<EndUser> {
  const endUser = await change.rows.load(endUsers, id)
  requireAllowed('attach', endUser)
  return change.rows.update(endUsers, endUser, noLegalHold)
}

export const noLegalHold = { legal_hold_reason: null, legal_hold_since: null } as const

/**
 * Refuses to delete anything of an end user under a legal hold, also one that begins meanwhile.
 * @throws ApiError `legal_hold`
 */
export function refuseHeld(change: Change, endUser: EndUser): void {
  if (endUser.legal_hold_since !== null)
    throw new ApiError('legal_hold', { end_user_id: typeId('eu', endUser.id) })
  change.rows.guard(endUsers, endUser)
}
