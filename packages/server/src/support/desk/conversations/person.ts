import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { References } from '../../../platform/unit-of-work/references.ts'
import { companies } from '../../people/companies/entity.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { decide, identityStateOf, requireAllowed } from '../../people/end-users/identity.ts'
import { type KnownEndUser, knownEndUserNamed } from '../../people/end-users/naming.ts'
import type { Named } from '../../people/end-users/one-name.ts'
import type { Conversation, ConversationEndUser } from './queries.ts'

/**
 * The end user of a new conversation, which is created if nobody has the external id.
 * @throws ApiError `end_user_blocked`; `identity_conflict` for one that was merged
 */
export async function endUserOf(
  change: Change,
  references: References,
  input: Named & { initiated_by_side?: string },
): Promise<KnownEndUser | null> {
  const { external_user_id, end_user_id, initiated_by_side = 'end_user' } = input
  const known = await references.to(endUsers, '/end_user_id', end_user_id)
  if (end_user_id !== undefined && !known) return null
  const endUser = known ?? (await knownEndUserNamed(change, external_user_id!))
  const identity = { verified_at: null, ...endUser } // neither claim depends on it
  if (decide('attach', identityStateOf(identity)) === 'erased') {
    references.fault({
      pointer: known ? '/end_user_id' : '/external_user_id',
      code: 'not_allowed',
      detail: 'must not be an erased end user',
    })
    return null
  }
  requireAllowed(initiated_by_side === 'end_user' ? 'speak' : 'attach', identity)
  return endUser
}

export const personOf = (endUser: KnownEndUser): ConversationEndUser => ({
  id: endUser.id,
  external_id: endUser.external_id,
  is_blocked: endUser.blocked_at !== null,
})

/** Do both conversations belong to one end user? */
export const isSamePerson = (one: ConversationEndUser, other: ConversationEndUser): boolean =>
  one.id === null || other.id === null ? one.external_id === other.external_id : one.id === other.id

/** @throws ApiError `end_user_blocked` */
export function requireUnblocked({ end_user }: Conversation): void {
  if (end_user.is_blocked) throw new ApiError('end_user_blocked')
}

/**
 * The company of a conversation, which must be one of its end user's.
 * @param kept the company that it has, which may be one of its end user's no more
 */
export async function companyOf(
  change: Change,
  references: References,
  endUserId: string | null,
  companyId: string | null | undefined,
  kept: string | null = null,
): Promise<string | null> {
  const pointer = '/company_id'
  const company = await references.to(companies, pointer, companyId, kept)
  if (company === null || company.id === kept) return company?.id ?? null
  const endUser = endUserId === null ? null : await change.rows.find(endUsers, endUserId)
  if (endUser?.company_ids.includes(company.id)) return company.id
  references.fault({ pointer, code: 'not_allowed', detail: 'must be a company of the end user' })
  return null
}
