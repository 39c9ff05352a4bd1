import { createHash } from 'node:crypto'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { ConversationEndUser } from '../../desk/conversations/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { createNamed, newEndUser } from '../../people/end-users/naming.ts'
import { createOperator } from '../../team/operators/actions.ts'
import type { LineType } from './params.ts'
import { insertMappings, replaceMappings } from './queries.ts'
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

/** The end users with these external ids. Unknown ones are made; erased ones are missing. */
export async function peopleOf(
  change: Change,
  work: Work,
  externalIds: Iterable<string>,
): Promise<Map<string, ConversationEndUser>> {
  const { db, tenantId } = change
  const found = await work.resolver.find(db, tenantId, 'end_user', externalIds)
  const people = new Map<string, ConversationEndUser>()
  const ids: string[] = []
  for (const [externalId, known] of found) {
    if (known.id !== null) {
      const created = change.rows.created(endUsers).find(({ id }) => id === known.id)
      if (created)
        people.set(externalId, {
          id: created.id,
          external_id: created.external_id,
          is_blocked: false,
          is_erased: false,
        })
      else ids.push(known.id)
      continue
    }
    const { id, external_id } = known.isTaken
      ? change.rows.create(endUsers, newEndUser(change, {}))
      : createNamed(change, externalId)
    map(change, work, 'end_user', externalId, id)
    people.set(externalId, { id, external_id, is_blocked: false, is_erased: false })
  }
  const stored = await work.resolver.people(db, tenantId, ids)
  for (const [externalId, { id }] of found) {
    const person = id === null ? undefined : stored.get(id)
    if (person) people.set(externalId, person)
  }
  return people
}

/** An e-mail address that nobody has, for an operator of whom only an external id is known. */
const addressOf = (source: string, externalId: string): string =>
  `${createHash('sha256').update(`${source}\0${externalId}`).digest('hex').slice(0, 32)}@imported.invalid`
