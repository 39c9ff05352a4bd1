import { plusSeconds } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import { publicUrl } from '../../../platform/kernel/public-url.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { requireLivingIssuer } from '../../admin/api-keys/issuer.ts'
import { listEnvironments } from '../../admin/workspace/queries.ts'
import { createOperator, scopesToGive } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import { findOperatorByEmail, type Operator } from '../../team/operators/queries.ts'
import { linkUrl, newInvitationLink } from '../../vocabulary/credentials.ts'
import { consoleSessionInvalid } from '../../vocabulary/errors.ts'
import { isHigher, type Role, roles } from '../../vocabulary/roles.ts'
import { endsSessions, openSessionOf, type SignIn, secretHash } from '../console-sessions/actions.ts'
import { invitations } from './entity.ts'
import { statusOf } from './lifecycle.ts'
import { findLatest, findNamesake, type Invitation } from './queries.ts'
import { defaultSeconds, type InvitationWithUrl, type NewInvitation } from './schema.ts'

/** Makes a link to sign in as the operator. It replaces the one before. Only the result contains it. */
export async function inviteOperator(
  change: Change,
  operatorId: string,
  { expires_in_seconds: seconds = defaultSeconds }: NewInvitation,
): Promise<InvitationWithUrl> {
  const { env, principal } = change.ctx
  const operator = await change.rows.load(operators, operatorId)
  const scopes = scopesToGive(operator.role)
  requireScopes(principal.allows, ...scopes)
  await requireLivingIssuer(change, scopes)
  if (operator.archived)
    throw new ApiError('invalid_transition', { from: 'archived', action: 'invite', allowed: [] })
  change.rows.guard(operators, operator) // it may be archived meanwhile
  const latest = await findLatest(change.db, change.tenantId, operatorId)
  if (latest) revoke(change, latest)
  const highestRole = highestRoleOf(principal.allows)
  const token = newInvitationLink(env)
  const invitation = change.rows.create(invitations, {
    ...change.stamp(),
    operator_id: operatorId,
    number: (latest?.number ?? 0) + 1,
    token_hash: secretHash(token),
    email: operator.email,
    role: operator.role,
    highest_role: highestRole,
    environments: await environmentsFor(change, operator, highestRole),
    expires_at: plusSeconds(change.now, seconds),
    accepted_at: null,
    revoked_at: null,
  })
  change.repeatIfTaken(invitation, 'number')
  return { ...invitation, url: linkUrl(publicUrl(''), token) }
}

const highestRoleOf = (allows: (scope: string) => boolean): Role =>
  roles.findLast((role) => scopesToGive(role).every(allows))!

/** A link of the live environment opens the test environment too, as whom the inviting credential could invite. */
async function environmentsFor(
  { ctx, db }: Change,
  { email }: Operator,
  highestRole: Role,
): Promise<Environment['kind'][]> {
  if (ctx.env.kind === 'test') return ['test']
  const environments = await listEnvironments(db, ctx.env.workspaceId)
  const { tenantId } = environments.find(({ kind }) => kind === 'test')!
  const namesake = await findNamesake(db.home(tenantId), tenantId, email)
  return namesake === null || opensAs(namesake, highestRole) ? ['live', 'test'] : ['live']
}

const opensAs = ({ role, archived }: Pick<Operator, 'role' | 'archived'>, highestRole: Role): boolean =>
  !archived && !isHigher(role, highestRole)

/** Revokes an invitation at once, if it is pending; it stays readable. */
export async function revokeInvitation(change: Change, id: string): Promise<void> {
  revoke(change, await change.rows.load(invitations, id))
}

function revoke(change: Change, invitation: Invitation): void {
  if (statusOf(invitation, change.now) === 'pending')
    change.rows.update(invitations, invitation, { revoked_at: change.now }, 'invitation.revoked')
}

/** The person who accepts, and the session that this opens. */
type Accepting = Omit<SignIn, 'email'>

/**
 * Uses the link of an invitation up, and signs in as its operator.
 * @throws ApiError `console_session_invalid`
 */
export async function acceptInvitation(
  change: Change,
  id: string,
  accepting: Accepting,
): Promise<{ invitation: Invitation; operator: Operator }> {
  const invitation = await change.rows.load(invitations, id)
  const status = statusOf(invitation, change.now)
  if (status !== 'pending') throw consoleSessionInvalid(status === 'accepted' ? 'used' : status)
  const operator = await change.rows.find(operators, invitation.operator_id)
  if (!operator || !suits(invitation, operator)) throw consoleSessionInvalid('revoked')
  await openSessionOf(change, operator, accepting)
  change.rows.update(invitations, invitation, { accepted_at: change.now }, 'invitation.accepted')
  return { invitation, operator }
}

/** True if the operator may still be signed in by the invitation. */
const suits = ({ email, role }: Invitation, operator: Operator): boolean =>
  !operator.archived && nameKey(operator.email) === nameKey(email) && !isHigher(operator.role, role)

/**
 * Signs in to the test environment who has accepted an invitation to the live one: as the operator with the address,
 * unless that one may no longer be invited, or as a new one.
 */
export async function joinTestEnvironment(
  change: Change,
  { highest_role: highestRole }: Invitation,
  { name, email, role, timezone }: Operator,
  accepting: Accepting,
): Promise<void> {
  const found = await findOperatorByEmail(change.db, change.tenantId, email)
  const known = found && (await change.rows.find(operators, found.id))
  if (known && !opensAs(known, highestRole)) return
  const operator = known ?? (await createOperator(change, { name, email, role, timezone }))
  if (!known) change.repeatIfTaken(operator, 'email')
  await openSessionOf(change, operator, accepting)
}

const unsuited = 'invitation_unsuited'

/** Invitations end for the same reasons as sessions. */
export async function followOperator(
  change: Change,
  before: Operator | null,
  after: Operator | null,
): Promise<void> {
  if (!before || (after && !endsSessions(before, after))) return
  const latest = await findLatest(change.db, change.tenantId, before.id)
  if (latest) revoke(change, latest)
  change.jobs.schedule(unsuited, before.id, change.now)
}

/**
 * Revokes an invitation that another process wrote at the same time as the change of its operator, which therefore did
 * not see it.
 */
async function revokeUnsuited(change: Change, operatorId: string): Promise<void> {
  const latest = await findLatest(change.db, change.tenantId, operatorId)
  const operator = latest && (await change.rows.find(operators, operatorId))
  if (latest && !(operator && suits(latest, operator))) revoke(change, latest)
}

export const invitationJobs: Job[] = [{ name: unsuited, perform: revokeUnsuited }]
