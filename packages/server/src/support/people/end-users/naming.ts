import { LRUCache } from 'lru-cache'
import { cacheOf } from '../../../platform/postgres/process-state.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { generationNow, rememberFacts } from '../../../platform/unit-of-work/memory.ts'
import { endUsers } from './entity.ts'
import { type EndUser, endUserGenerations, findEndUserByExternalId } from './queries.ts'

export const newEndUser = (change: Change, given: Partial<EndUser>): EndUser => ({
  ...change.stamp(),
  ...noDetails,
  ...given,
})

/** The fields of an end user who is not blocked. */
export const noBlock = { blocked_at: null, blocked_until: null, block_reason: null } as const

/** The fields of an end user of whom nothing is known. */
export const noDetails: Omit<EndUser, 'id' | 'created_at' | 'updated_at' | 'version'> = {
  external_id: null,
  name: null,
  emails: [],
  phones: [],
  language: null,
  timezone: null,
  avatar_url: null,
  company_ids: [],
  custom_fields: [],
  metadata: {},
  verified_at: null,
  last_seen_at: null,
  ...noBlock,
  merged_into_id: null,
  erased_at: null,
  legal_hold_reason: null,
  legal_hold_since: null,
}

/**
 * The end user with an external id, or the target if it is an alias; created in this change if there is none.
 *
 * Two changes that create the same one: within this process the second waits and finds the first; a change of another
 * process violates the unique constraint, and runs again.
 */
export async function endUserNamed(change: Change, externalId: string): Promise<EndUser> {
  const created = change.rows.created(endUsers).find(({ external_id }) => external_id === externalId)
  const find = () => findEndUserByExternalId(change.db, change.tenantId, externalId)
  const found = created ?? (await find())
  if (found) return found
  const lock = `${endUsers.type}/${externalId}` // as `loadIfAny`
  const hasWaited = await change.lock(lock)
  const meanwhile = hasWaited ? await find() : null
  if (meanwhile === null) return createNamed(change, externalId)
  change.release(lock)
  return meanwhile
}

/** The parts of an end user that decide who it is, and that conversations show. */
export type KnownEndUser = Pick<EndUser, 'id' | 'external_id' | 'blocked_at' | 'merged_into_id' | 'erased_at'>

/** 5 MB. A generation says that no end user of the environment has changed in these. */
const newPeople = () => new LRUCache<string, { generation: number; endUser: KnownEndUser }>({ max: 10_000 })
export const peopleGeneration = rememberFacts(endUserGenerations, async (db, tenantId) => ({
  generation: await generationNow(db, endUserGenerations, tenantId),
  value: null,
}))

/** As `endUserNamed`, for a write that does not change the end user: most write for somebody who wrote before. */
export async function knownEndUserNamed(change: Change, externalId: string): Promise<KnownEndUser> {
  const people = cacheOf(change.db, newPeople)
  const { generation } = await peopleGeneration.for(change)
  const name = `${change.tenantId} ${externalId}`
  change.onConflict(() => people.delete(name))
  const known = people.get(name)
  if (known?.generation === generation) return known.endUser
  const found = await endUserNamed(change, externalId)
  const { id, external_id, blocked_at, merged_into_id, erased_at } = found
  const endUser = { id, external_id, blocked_at, merged_into_id, erased_at }
  if (!change.rows.isCreated(found)) people.set(name, { generation, endUser })
  return endUser
}

export function createNamed(change: Change, externalId: string, given: Partial<EndUser> = {}): EndUser {
  const endUser = change.rows.create(endUsers, newEndUser(change, { ...given, external_id: externalId }))
  change.repeatIfTaken(endUser, 'external_id')
  return endUser
}
