import { ApiError } from '../../../platform/kernel/errors.ts'
import type { EndUser } from './queries.ts'

export type EndUserStatus = 'active' | 'blocked' | 'merged' | 'erased'

/** A job ends a block with an end, so that the status does not depend on the time. */
export function statusOf(row: Pick<EndUser, 'merged_into_id' | 'erased_at' | 'blocked_at'>): EndUserStatus {
  if (row.erased_at !== null) return 'erased'
  if (row.merged_into_id !== null) return 'merged'
  return row.blocked_at === null ? 'active' : 'blocked'
}

/** The state that decides whether somebody may act as an end user, or change one. */
export type IdentityState = 'unverified' | 'verified' | 'blocked' | 'merged' | 'erased'

type Identity = Pick<EndUser, 'merged_into_id' | 'erased_at' | 'blocked_at' | 'verified_at'>

export const identityStateOf = (row: Identity): IdentityState => {
  const status = statusOf(row)
  if (status !== 'active') return status
  return row.verified_at === null ? 'unverified' : 'verified'
}

/**
 * A way in which a claim comes to an end user.
 * - `attach`: a conversation, message or change by a secret key, which names the end user
 * - `speak`: a conversation or message that the end user's side writes
 * - `session`: a session is minted or exchanged for the end user
 * - `vouch`: a verified JWT changes the end user
 * - `adopt`: a visitor in this state is merged into the person who signed in
 * - `merge_from`, `merge_into`: a secret key merges two end users
 */
export type Claim = 'attach' | 'speak' | 'session' | 'vouch' | 'adopt' | 'merge_from' | 'merge_into'

export type Decision = 'yes' | 'no' | 'blocked' | 'merged' | 'erased'

/**
 * Decides whether a claim may attach to, merge into or change an end user. All code that lets one identity act on
 * another asks this function: an unverified claim never reaches a verified end user. `no` is silent: the visitor stays
 * an end user of its own. What an anonymous visitor says about itself is no claim on others: it always makes a new one.
 */
export function decide(claim: Claim, state: IdentityState): Decision {
  if (claim === 'adopt') return state === 'unverified' ? 'yes' : 'no'
  if (state === 'merged' || state === 'erased') return state
  const isHindered = state === 'blocked' && (claim === 'speak' || claim === 'session' || claim === 'vouch')
  return isHindered ? 'blocked' : 'yes'
}

/** @throws ApiError `end_user_blocked`, or `identity_conflict` for one that was merged or erased */
export function requireAllowed(claim: Claim, endUser: Identity): void {
  const decision = decide(claim, identityStateOf(endUser))
  if (decision === 'blocked') throw new ApiError('end_user_blocked')
  if (decision === 'merged' || decision === 'erased')
    throw new ApiError('identity_conflict', { reason: decision })
}

/** True if merging would let an unverified identity take over a verified one. */
export const swallowsVerified = (source: EndUser, target: EndUser): boolean =>
  source.verified_at !== null && target.verified_at === null
