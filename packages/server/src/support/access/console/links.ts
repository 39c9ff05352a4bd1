import { type Clock, toInstant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { listEnvironments } from '../../admin/workspace/queries.ts'
import { findActingOperator, findOperatorByEmail } from '../../team/operators/queries.ts'
import { newConsoleLink } from '../../vocabulary/credentials.ts'
import { secretHash } from '../console-sessions/actions.ts'
import { insertLink } from '../console-sessions/links/queries.ts'
import { hasAdmin } from '../console-sessions/queries.ts'

export const linkMinutes = 15
/** Links are deleted a day after their end: until then, their state explains a refusal. */
const keptMs = 86_400_000

/**
 * Stores a one-time link for operators with an e-mail address, or for the first administrator.
 * @returns its token, of which only a hash is stored
 */
export async function createLink(
  db: Db,
  clock: Clock,
  { workspaceId, email }: { workspaceId: string; email: string | null },
): Promise<string> {
  const token = newConsoleLink()
  const nowMs = clock()
  const expiresAt = toInstant(nowMs + linkMinutes * 60_000)
  await insertLink(
    db,
    { tokenHash: secretHash(token), workspaceId, email, expiresAt },
    toInstant(nowMs - keptMs),
  )
  return token
}

/**
 * True if an operator administers the live environment of the workspace. Those of the test environment do not count:
 * more keys can make them.
 * @param email the address of an operator who does not count
 */
export async function hasAdministrator(
  db: Db,
  workspaceId: string,
  email: string | null = null,
): Promise<boolean> {
  const environments = await listEnvironments(db, workspaceId)
  const { tenantId } = environments.find(({ kind }) => kind === 'live')!
  return hasAdmin(db.home(tenantId), tenantId, email)
}

/** True if an operator of some environment of the workspace has the address and is not archived. */
export async function hasOperator(db: Db, workspaceId: string, email: string): Promise<boolean> {
  const environments = await listEnvironments(db, workspaceId)
  const found = await Promise.all(
    environments.map(async ({ tenantId }) => {
      const home = db.home(tenantId)
      const known = await findOperatorByEmail(home, tenantId, email)
      const operator = known && (await findActingOperator(home, tenantId, known.id))
      return operator !== null && !operator.archived
    }),
  )
  return found.includes(true)
}
