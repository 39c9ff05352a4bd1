import { toInstant } from '../../../../platform/kernel/clock.ts'
import { newUuid, unixMsOf } from '../../../../platform/kernel/ids.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { isWriteConflict, sqlState, sqlStates } from '../../../../platform/postgres/errors.ts'
import { noDetails } from '../../../people/end-users/naming.ts'
import { type EndUser, endUserTable } from '../../../people/end-users/queries.ts'
import { linkConversations, namedEndUsers, someUnlinked } from './queries.ts'

/**
 * Lets up to `limit` conversations from before end users refer to their end users, and creates those that are missing,
 * in one transaction: a server that is killed goes on where it was. It writes no events, because nothing happened to
 * these people now.
 * @returns the number of conversations that were found
 */
export async function linkSome(db: Db, tenantId: string, limit: number): Promise<number> {
  const unlinked = await someUnlinked(db, tenantId, limit)
  if (unlinked.length === 0) return 0
  const externalIds = [...new Set(unlinked.map((row) => row.external_user_id))]
  const known = await namedEndUsers(db, tenantId, externalIds)
  const idOf = new Map(known.map(({ id, external_id }) => [external_id, id]))
  const missing: EndUser[] = []
  for (const { id, external_user_id } of unlinked) {
    if (idOf.has(external_user_id)) continue
    const endUser = firstSeenIn(id, external_user_id)
    idOf.set(external_user_id, endUser.id)
    missing.push(endUser)
  }
  const links = unlinked.map(({ id, external_user_id }) => ({ id, end_user_id: idOf.get(external_user_id)! }))
  try {
    const link = linkConversations(tenantId, links)
    if (missing.length === 0) await db.write(link)
    else await db.write(endUserTable.insert(tenantId, missing), link)
  } catch (error) {
    // A request has created one of the end users meanwhile; the next batch finds it.
    const state = sqlState(error)
    if (state !== sqlStates.uniqueViolation && !isWriteConflict(state)) throw error
  }
  return unlinked.length
}

/** An end user who exists since their first conversation. */
function firstSeenIn(conversationId: string, externalId: string): EndUser {
  const createdMs = unixMsOf(conversationId)
  const at = toInstant(createdMs)
  return {
    ...noDetails,
    id: newUuid(createdMs),
    external_id: externalId,
    created_at: at,
    updated_at: at,
    version: 1,
  }
}
