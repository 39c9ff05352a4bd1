import { type Clock, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { listEnvironments } from '../../admin/workspace/queries.ts'
import { createOperator, updateOperator } from '../../team/operators/actions.ts'
import { findOperatorByEmail } from '../../team/operators/queries.ts'
import { newConsoleToken } from '../../vocabulary/credentials.ts'
import { openSession, secretHash } from '../console-sessions/actions.ts'
import type { ConsoleSession } from '../console-sessions/queries.ts'
import { sessionCookie } from './cookies.ts'

export type SignInDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  /** A context for changes by the server itself. */
  contextOf(environment: Environment): Ctx
}

/** Somebody who has proven to own an e-mail address, and the browser. */
export type Person = {
  workspaceId: string
  email: string
  createdBy: ConsoleSession['created_by']
  userAgent: string | null
  ip: string | null
}

const maxUserAgentLength = 255

/**
 * Opens a session in each environment of the workspace that has an operator with the address who is not archived.
 * Null if none has.
 * @returns the token of all of them, and the header `Set-Cookie` that gives it to the browser
 */
export async function signIn(
  deps: SignInDeps,
  { workspaceId, email, createdBy, userAgent, ip }: Person,
): Promise<{ token: string; cookie: string } | null> {
  const token = newConsoleToken(workspaceId)
  const asked = {
    email,
    createdBy,
    tokenHash: secretHash(token),
    userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    ip,
    at: toInstant(deps.clock()),
  }
  let opened = 0
  for (const env of await listEnvironments(deps.db, workspaceId)) {
    const outcome = await transact(deps.contextOf(env), (change) => openSession(change, asked))
    if (!outcome.replayed && outcome.result) opened++
  }
  return opened === 0 ? null : { token, cookie: sessionCookie(deps.publicUrl, token) }
}

/**
 * Makes the person an administrator in each environment: a new operator, or the one with the address. The live
 * environment is the last one: until then, the workspace has no administrator, and the link can be used again.
 */
export async function makeAdministrator(
  deps: SignInDeps,
  { workspaceId, name, email }: { workspaceId: string; name: string; email: string },
): Promise<void> {
  const environments = await listEnvironments(deps.db, workspaceId)
  for (const env of environments.toSorted((one, other) => (one.kind > other.kind ? -1 : 1)))
    await transact(deps.contextOf(env), async (change) => {
      const found = await findOperatorByEmail(change.db, change.tenantId, email)
      if (found) return updateOperator(change, found.id, { role: 'admin', archived: false })
      const operator = await createOperator(change, { name, email, role: 'admin' })
      change.repeatIfTaken(operator, 'email')
      return operator
    })
}
