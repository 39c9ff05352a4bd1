import { type Clock, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { listEnvironments } from '../../admin/workspace/queries.ts'
import { createOperator, updateOperator } from '../../team/operators/actions.ts'
import { findOperatorByEmail } from '../../team/operators/queries.ts'
import { newConsoleToken, tenantOfToken } from '../../vocabulary/credentials.ts'
import { consoleSessionInvalid } from '../../vocabulary/errors.ts'
import { openSession, type SignIn, secretHash } from '../console-sessions/actions.ts'
import type { ConsoleSession } from '../console-sessions/queries.ts'
import { acceptInvitation, joinTestEnvironment } from '../invitations/actions.ts'
import { findByToken } from '../invitations/queries.ts'
import { sessionCookie } from './cookies.ts'

export type SignInDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  /** A context for changes by the server itself. */
  contextOf(environment: Environment): Ctx
}

/** A browser in which somebody signs in. */
export type Browser = { userAgent: string | null; ip: string | null }

/** Somebody who has proven to own an e-mail address, and the browser. */
export type Person = Browser & {
  workspaceId: string
  email: string
  createdBy: ConsoleSession['created_by']
}

/** The token of the sessions of a sign-in, and the header `Set-Cookie` that gives it to the browser. */
export type SignedIn = { token: string; cookie: string }

const maxUserAgentLength = 255

/** A new token, and the sessions that it will have. */
function newSignIn(
  { clock, publicUrl }: SignInDeps,
  workspaceId: string,
  createdBy: ConsoleSession['created_by'],
  { userAgent, ip }: Browser,
): { signedIn: SignedIn; asked: Omit<SignIn, 'email'> } {
  const token = newConsoleToken(workspaceId)
  return {
    signedIn: { token, cookie: sessionCookie(publicUrl, token) },
    asked: {
      createdBy,
      tokenHash: secretHash(token),
      userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null,
      ip,
      at: toInstant(clock()),
    },
  }
}

/**
 * Opens a session in each environment of the workspace that has an operator with the address who is not archived.
 * Null if none has.
 */
export async function signIn(
  deps: SignInDeps,
  { workspaceId, email, createdBy, ...browser }: Person,
): Promise<SignedIn | null> {
  const { signedIn, asked } = newSignIn(deps, workspaceId, createdBy, browser)
  let opened = 0
  for (const env of await listEnvironments(deps.db, workspaceId)) {
    const outcome = await transact(deps.contextOf(env), (change) => openSession(change, { ...asked, email }))
    if (!outcome.replayed && outcome.result) opened++
  }
  return opened === 0 ? null : signedIn
}

/**
 * Accepts the invitation with this link, and signs in as its operator. The environment of the invitation comes first:
 * after its transaction the invitation is used up, and the person is signed in there whatever becomes of the other one.
 * @param link one with a valid shape
 * @param onFault is told why the test environment could not be opened as well
 * @throws ApiError `console_session_invalid`
 */
export async function signInByInvitation(
  deps: SignInDeps,
  link: string,
  browser: Browser,
  onFault: (error: unknown) => void,
): Promise<SignedIn> {
  const tenantId = tenantOfToken(link)
  const found = tenantId && (await findByToken(deps.db.home(tenantId), tenantId, secretHash(link)))
  if (!found) throw consoleSessionInvalid('unknown')
  const { id, environment } = found
  const { signedIn, asked } = newSignIn(deps, environment.workspaceId, 'link', browser)
  const outcome = await transact(deps.contextOf(environment), (change) => acceptInvitation(change, id, asked))
  if (outcome.replayed) throw new Error('The server itself has no idempotency key')
  const { invitation, operator } = outcome.result
  if (environment.kind === 'live' && invitation.environments.includes('test')) {
    try {
      const environments = await listEnvironments(deps.db, environment.workspaceId)
      const test = environments.find(({ kind }) => kind === 'test')!
      await transact(deps.contextOf(test), (change) =>
        joinTestEnvironment(change, invitation, operator, asked),
      )
    } catch (error) {
      onFault(error)
    }
  }
  return signedIn
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
