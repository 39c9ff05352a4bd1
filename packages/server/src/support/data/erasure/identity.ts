import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { files } from '../../files/entity.ts'
import { deleteFile } from '../../files/removal.ts'
import { blockExpiry, endUsers } from '../../people/end-users/entity.ts'
import { refuseHeld } from '../../people/end-users/legal-hold.ts'
import { noDetails } from '../../people/end-users/naming.ts'
import type { EndUser } from '../../people/end-users/queries.ts'
import { revoke } from '../../people/sessions/actions.ts'
import { findOpenSessions } from '../../people/sessions/queries.ts'
import { deleteMappingsOfPeople } from '../imports/queries.ts'
import {
  countVotes,
  deleteVotes,
  endParticipations,
  namedByText,
  nextSubjects,
  unname,
  unusedFiles,
} from './queries.ts'
import { counting, type ErasureState, nextStep } from './state.ts'

/** Rows of one piece of work. */
const rowsAtOnce = 100
const subjectsAtOnce = 500

export const peopleOf = async (change: Change, ids: string[]): Promise<EndUser[]> => {
  const found = await endUsers.table.findMany(change.db, change.tenantId, ids)
  const rows: EndUser[] = []
  for (const { id } of found) {
    const row = await change.rows.find(endUsers, id)
    if (row) rows.push(row)
  }
  return rows
}

/**
 * Erases the texts in the rows of the person. The external ids stay until the end: nobody else gets them meanwhile, and
 * other rows that name them can be found.
 */
export async function eraseIdentity(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  const people = await peopleOf(change, ids)
  let addresses = 0
  let memberships = 0
  for (const person of people) {
    refuseHeld(change, person)
    addresses += person.emails.length + person.phones.length
    memberships += person.company_ids.length
    const { external_id, merged_into_id, verified_at, last_seen_at } = person
    change.jobs.cancel(blockExpiry, person.id)
    const kept = { external_id, merged_into_id, verified_at, last_seen_at }
    const erased_at = person.erased_at ?? change.now
    change.rows.update(endUsers, person, { ...noDetails, ...kept, erased_at }, 'end_user.erased')
  }
  change.effects.write(deleteMappingsOfPeople(change.tenantId, ids))
  const erased = people.filter(({ erased_at }) => erased_at === null)
  const counts = { end_users: erased.length, end_user_addresses: addresses, company_members: memberships }
  return nextStep(counting(state, counts))
}

/** Ends the sessions of the person. */
export async function endSessions(change: Change, state: ErasureState): Promise<ErasureState> {
  const open = await findOpenSessions(change.db, change.tenantId, state.end_user_id, change.now)
  for (const session of open.slice(0, rowsAtOnce)) revoke(change, session)
  const counted = counting(state, { end_user_sessions: Math.min(open.length, rowsAtOnce) })
  return open.length <= rowsAtOnce ? nextStep(counted) : counted
}

/** Deletes files of the person that no message uses. */
export async function deleteUnusedFiles(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  const unused = await unusedFiles(change.db, change.tenantId, ids, rowsAtOnce)
  for (const id of unused) {
    const file = await change.rows.find(files, id)
    if (file?.use_count === 0) deleteFile(change, file)
  }
  const counted = counting({ ...state, files: [...state.files, ...unused] }, { files: unused.length })
  return unused.length < rowsAtOnce ? nextStep(counted) : counted
}

/** Deletes the votes of the person; their counts stay. */
export async function eraseVotes(change: Change, state: ErasureState, ids: string[]): Promise<ErasureState> {
  const subjects = await nextSubjects(change.db, change.tenantId, state.after, subjectsAtOnce)
  const last = subjects.at(-1)
  if (last === undefined) return nextStep(state)
  const voters = [...(await externalIdsOf(change, ids)), ...ids.map((id) => typeId('eu', id))]
  const votes = await countVotes(change.db, change.tenantId, subjects, voters)
  if (votes > 0) change.effects.write(deleteVotes(change.tenantId, subjects, voters))
  return counting({ ...state, after: last }, { votes })
}

const externalIdsOf = async (change: Change, ids: string[]): Promise<string[]> =>
  (await peopleOf(change, ids)).flatMap(({ external_id }) => external_id ?? [])

/** Lets conversations from before end users refer to the person. */
export async function linkConversations(
  change: Change,
  state: ErasureState,
  ids: string[],
): Promise<ErasureState> {
  const externalIds = await externalIdsOf(change, ids)
  const named = await namedByText(change.db, change.tenantId, ids, externalIds, rowsAtOnce)
  if (named.length === 0) return nextStep(state)
  change.effects.write(unname(change.tenantId, named, state.end_user_id))
  return state
}

/** Frees the external ids of the person. */
export async function freeExternalIds(change: Change, ids: string[]): Promise<void> {
  for (const person of await peopleOf(change, ids))
    change.rows.update(endUsers, person, { external_id: null }, null)
  change.effects.write(endParticipations(change.tenantId, ids))
}
