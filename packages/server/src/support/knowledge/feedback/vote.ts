import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { castVote, type VoteCounts, type Voter } from '../../../platform/votes/votes.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { decide, identityStateOf } from '../../people/end-users/identity.ts'
import { type EndUser, findEndUserByExternalId } from '../../people/end-users/queries.ts'
import { findPerson } from './queries.ts'
import type { Feedback } from './schema.ts'

/** Sets or changes the vote of an end user. An end user has one vote, whatever it is named by. */
export async function vote<Row extends ResourceRow & VoteCounts>(
  change: Change,
  entity: Entity<Row>,
  id: string,
  feedback: Feedback,
): Promise<Row> {
  return castVote(change, entity, id, await voterOf(change, feedback), feedback.helpful)
}

/** A vote is stored with the external id of its end user, or with the end user's own id if it has none. */
async function voterOf(change: Change, feedback: Feedback): Promise<Voter> {
  const endUser = await endUserOf(change, feedback)
  if (!endUser) return { id: feedback.external_user_id!, formerIds: [] }
  change.rows.guard(endUsers, endUser)
  const person = await findPerson(change.db, change.tenantId, endUser.id)
  const ids = person.flatMap(({ id, external_id }) => [
    typeId('eu', id),
    ...(external_id === null ? [] : [external_id]),
  ])
  const id = endUser.external_id ?? typeId('eu', endUser.id)
  return { id, formerIds: ids.filter((each) => each !== id) }
}

/** The end user, or the one that it was merged into; null for an external id that nobody has. */
async function endUserOf(change: Change, feedback: Feedback): Promise<EndUser | null> {
  const references = new References(change)
  const named = await references.to(endUsers, '/end_user_id', feedback.end_user_id)
  if (named && decide('attach', identityStateOf(named)) === 'erased') {
    const detail = 'must not be an erased end user'
    references.fault({ pointer: '/end_user_id', code: 'not_allowed', detail })
  }
  references.check()
  const { external_user_id: externalId } = feedback
  if (externalId !== undefined) return findEndUserByExternalId(change.db, change.tenantId, externalId)
  return named!.merged_into_id === null ? named : change.rows.find(endUsers, named!.merged_into_id)
}
