import { createHash } from 'node:crypto'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { personOf } from '../../desk/conversations/person.ts'
import type { ConversationEndUser } from '../../desk/conversations/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { createNamed, endUserNamed, newEndUser } from '../../people/end-users/naming.ts'
import type { EndUser } from '../../people/end-users/queries.ts'
import { createOperator } from '../../team/operators/actions.ts'
import type { LineType } from './params.ts'
import { endUsersAsShown, insertMappings, type Known, replaceMappings } from './queries.ts'
import type { Work } from './work.ts'

/**
 * Records which object an external id of the source stands for.
 * @param isMapped true if it stood for an object that was deleted
 */
export function mapAs(
  change: Change,
  work: Work,
  type: LineType,
  external_id: string,
  object_id: string,
  isMapped: boolean,
): void {
  const { source } = work.params
  const part = isMapped ? replaceMappings : insertMappings
  change.effects.writeBatched(part, { type, external_id, source, object_id })
  if (!work.isDry) work.resolver.made(type, external_id, object_id)
}

/** As `mapAs`, for an external id that the source has not had before. */
export const map = (
  change: Change,
  work: Work,
  type: LineType,
  external_id: string,
  object_id: string,
): void => mapAs(change, work, type, external_id, object_id, false)

/**
 * The operators with these external ids. One of whom only the id is known becomes an archived one, with an address that
 * nobody has.
 */
export async function operatorsOf(
  change: Change,
  work: Work,
  externalIds: Iterable<string>,
): Promise<Map<string, string>> {
  const { db, tenantId } = change
  const ids = new Map<string, string>()
  for (const [externalId, known] of await work.resolver.find(db, tenantId, 'operator', externalIds)) {
    if (known.id !== null) {
      ids.set(externalId, known.id)
      continue
    }
    const { id } = await createOperator(change, {
      name: externalId.trim().slice(0, 100) || 'Unknown',
      email: addressOf(work.params.source, externalId),
      external_id: known.isTaken ? null : externalId,
      archived: true,
    })
    map(change, work, 'operator', externalId, id)
    ids.set(externalId, id)
  }
  return ids
}

export type FoundPeople = {
  people: Map<string, ConversationEndUser>
  /** Those that were read, by the ids that they have or had. */
  endUsers: Map<string, EndUser>
}

/**
 * The end users with these external ids, and those with these ids. They are read for each part: an import goes on for
 * hours, and nobody who is erased meanwhile comes back. Unknown and deleted ones are made; erased ones are missing.
 */
export async function peopleOf(
  change: Change,
  work: Work,
  externalIds: Iterable<string>,
  ids: string[],
): Promise<FoundPeople> {
  const { db, tenantId } = change
  const found = await work.resolver.find(db, tenantId, 'end_user', externalIds)
  const asked = [...found.values()].flatMap(({ id }) => id ?? [])
  const read = await endUsersAsShown(db, tenantId, [...new Set([...asked, ...ids])])
  const people: FoundPeople['people'] = new Map()
  for (const [externalId, known] of found) {
    const row =
      (known.id === null ? undefined : read.get(known.id)) ?? (await made(change, work, externalId, known))
    if (row.erased_at === null) people.set(externalId, personOf(row))
  }
  return { people, endUsers: new Map(read.entries().filter(([, { erased_at }]) => erased_at === null)) }
}

async function made(change: Change, work: Work, externalId: string, known: Known): Promise<EndUser> {
  const row = known.isTaken
    ? change.rows.create(endUsers, newEndUser(change, {}))
    : known.isMapped
      ? await endUserNamed(change, externalId) // in place of one that was deleted
      : createNamed(change, externalId)
  mapAs(change, work, 'end_user', externalId, row.id, known.isMapped)
  return row
}

/** An e-mail address that nobody has, for an operator of whom only an external id is known. */
const addressOf = (source: string, externalId: string): string =>
  `${createHash('sha256').update(`${source}\0${externalId}`).digest('hex').slice(0, 32)}@imported.invalid`
