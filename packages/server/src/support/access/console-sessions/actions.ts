import { hash } from 'node:crypto'
import { type Instant, plusSeconds, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { operators } from '../../team/operators/entity.ts'
import { findOperatorByEmail, type Operator } from '../../team/operators/queries.ts'
import { isHigher } from '../../vocabulary/roles.ts'
import { consoleSessions } from './entity.ts'
import { type ConsoleSession, deleteEnded, deleteSessions, findLiving } from './queries.ts'

const lifetimeSeconds = 30 * 86_400
/** The most living sessions of an operator in an environment: a person has a few browsers. */
const mostLiving = 20
/** Ended sessions stay readable for this time, and are then deleted at a sign-in of their operator. */
const keptSeconds = 30 * 86_400

export const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** A sign-in: the person and the browser. */
export type SignIn = {
  /** The address that the person has proven to own. */
  email: string
  tokenHash: Buffer
  createdBy: ConsoleSession['created_by']
  userAgent: string | null
  ip: string | null
  /** The time of the sign-in in real time. */
  at: Instant
}

/** Opens a session for the operator with the e-mail address; null if the environment has none who may sign in. */
export async function openSession(change: Change, signIn: SignIn): Promise<ConsoleSession | null> {
  const found = await findOperatorByEmail(change.db, change.tenantId, signIn.email)
  const operator = found && (await change.rows.find(operators, found.id))
  if (!operator || operator.archived) return null
  if (signIn.createdBy === 'oidc' && !isSameAddress(operator.email, signIn.email)) return null
  return openSessionOf(change, operator, signIn)
}

/** Opens a session for an operator who is not archived. */
export async function openSessionOf(
  change: Change,
  operator: Operator,
  signIn: Omit<SignIn, 'email'>,
): Promise<ConsoleSession> {
  change.rows.guard(operators, operator) // nobody signs in as an operator that is being archived
  const living = await findLiving(change.db, change.tenantId, operator.id, signIn.at)
  for (const oldest of living.slice(mostLiving - 1)) revoke(change, oldest)
  const before = plusSeconds(signIn.at, -keptSeconds)
  change.effects.write(deleteEnded(change.tenantId, operator.id, before))
  return change.rows.create(consoleSessions, {
    ...change.stamp(),
    token_hash: signIn.tokenHash,
    operator_id: operator.id,
    created_by: signIn.createdBy,
    user_agent: signIn.userAgent,
    ip: signIn.ip,
    last_used_at: signIn.at,
    expires_at: plusSeconds(signIn.at, lifetimeSeconds),
    revoked_at: null,
  })
}

/**
 * True for addresses that differ at most in the case of ASCII letters. Operators are found by a key that makes more
 * equal, such as `exampleı.com` and `examplei.com`: at a provider, somebody else can own such a domain.
 */
const isSameAddress = (one: string, other: string): boolean => asciiLowered(one) === asciiLowered(other)

const asciiLowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Revokes a session at once; it stays readable. */
export async function revokeConsoleSession(change: Change, id: string): Promise<void> {
  revoke(change, await change.rows.load(consoleSessions, id))
}

/**
 * Sessions end with what they were opened for: another e-mail address may be another person's, and a higher role, an
 * archiving or its end ask for a new sign-in. The sessions of a deleted operator are deleted.
 */
export async function followOperator(
  change: Change,
  before: Operator | null,
  after: Operator | null,
): Promise<void> {
  if (!after) change.effects.writeBatched(deleteSessions, before!.id)
  else if (before && endsSessions(before, after))
    for (const session of await findLiving(change.db, change.tenantId, after.id, realTimeOf(change)))
      revoke(change, session)
}

/** Sessions live in real time. */
const realTimeOf = ({ now, ctx }: Change): Instant => toInstant(toUnixMs(now) - ctx.env.clockOffsetMs)

export const endsSessions = (before: Operator, after: Operator): boolean =>
  nameKey(before.email) !== nameKey(after.email) ||
  before.archived !== after.archived ||
  isHigher(after.role, before.role)

function revoke(change: Change, session: ConsoleSession): void {
  if (!session.revoked_at)
    change.rows.update(consoleSessions, session, { revoked_at: change.now }, 'console_session.revoked')
}
